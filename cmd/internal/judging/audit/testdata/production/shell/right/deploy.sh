#!/bin/sh
az cosmosdb sql container create --account-name account --database-name shop \
  --name carts --partition-key-path /id --ttl 86400
redis-cli expire key 86400000
