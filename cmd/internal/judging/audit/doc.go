// Package audit finds hazards in stored TTL policies: the indexes and options of MongoDB
// collections, and the settings of Azure Cosmos DB containers. If it also reads
// documents, it finds the hazards that only documents show: fields that hold no date,
// filters that match nothing, items whose ttl has another effect than intended.
//
// Package catalog reads the stored policies, and [Audit] judges them. The packages mongo
// and cosmos say what a policy does; a [Finding] names their rule. This package decides
// which effects are hazards, words the findings, and writes the commands that repair them.
package audit
