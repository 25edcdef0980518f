locals {
  ttl = { carts = 86400, logs = 3600 }
}

resource "azurerm_cosmosdb_sql_container" "each" {
  for_each               = local.ttl
  name                   = each.key
  database_name          = "shop"
  default_ttl            = each.value
  analytical_storage_ttl = -1
}

resource "azurerm_cosmosdb_mongo_collection" "tokens" {
  name                = "tokens"
  database_name       = "shop"
  default_ttl_seconds = 3600
}

resource "aws_cloudfront_distribution" "site" {
  default_cache_behavior {
    default_ttl = 86400000
  }
}
