variable "containers" {}

locals {
  ttl = { carts = 86400000, logs = 3600 }
}

resource "azurerm_cosmosdb_sql_container" "each" {
  for_each      = local.ttl
  name          = each.key
  database_name = "shop"
  default_ttl   = each.value
}

resource "azurerm_cosmosdb_sql_container" "elsewhere" {
  for_each    = var.containers
  name        = each.key
  default_ttl = each.value.ttl
}

resource "azurerm_cosmosdb_mongo_collection" "tokens" {
  name                = "tokens"
  database_name       = "shop"
  default_ttl_seconds = 1000 * 60 * 60
}
