#!/bin/sh
az cosmosdb sql container create --account-name account --database-name shop \
  --name carts --partition-key-path /id --ttl 86400000
az cosmosdb sql container update -a account -d shop -n logs --ttl "$TTL"
mongosh shop --eval 'db.logs.createIndex({at: 1}, {expireAfterSeconds: 3600000})'
