<?php
$client->shop->logs->createIndex(['at' => 1], ['expireAfterSeconds' => 1000 * 60 * 60]);
$client->shop->tokens->createIndex(['at' => 1], ['expireAfterSeconds' => env('TTL')]);
