<?php
$db->logs->createIndex(['at' => 1], ['expireAfterSeconds' => 60 * 60]);
setcookie('id', '', ['expires' => time() - 1]);
