@description('Seconds that a cart stays.')
param ttl int = 86400

resource carts 'Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers@2024-05-15' = {
  name: 'account/shop/carts'
  properties: {
    resource: {
      id: 'carts'
      defaultTtl: ttl
    }
  }
}
