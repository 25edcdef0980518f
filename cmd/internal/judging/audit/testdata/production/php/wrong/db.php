<?php
$db->logs->createIndex(['at' => 1], ['expireAfterSeconds' => 1000 * 60 * 60]);
$db->tokens->createIndex(['at' => 1], ['expireAfterSeconds' => env('TTL')]);
