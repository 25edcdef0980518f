resource carts 'Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers@2024-05-15' = {
  name: 'account/shop/carts'
  properties: {
    resource: {
      id: 'carts'
      defaultTtl: 86400000
    }
  }
}

resource tokens 'Microsoft.DocumentDB/databaseAccounts/mongodbDatabases/collections@2024-05-15' = {
  name: 'account/shop/tokens'
  properties: {
    resource: {
      id: 'tokens'
      indexes: [
        { key: { keys: ['_id'] } }
        { key: { keys: ['_ts'] }, options: { expireAfterSeconds: 3600000 } }
      ]
    }
  }
}
