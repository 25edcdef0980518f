// Package sender says what tools and SDKs send to Azure Cosmos DB for a time to live that is left
// out, null, 0 or -1. A policy is judged by what is sent, not by what is written: Terraform leaves
// a 0 out, and .NET a null. Each cell of the table names its source.
package sender

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Sent is what is sent for a value.
type Sent uint8

// What is sent. The zero Sent is unknown.
const (
	Unknown  Sent = iota // no source says it
	LeftOut              // the property is not sent, so that time to live is off
	Kept                 // the stored value is read and sent again
	Null                 // a null is sent, which the service refuses with status 400
	Zero                 // a 0 is sent, which the service refuses with status 400
	MinusOne             // a -1 is sent: on, without a default; for an item never
	Refused              // the tool refuses the value, and sends nothing
	Default              // the property of an item is not sent, so that the container's default applies
)

var phrases = [...]string{
	Unknown: "not established", LeftOut: "left out: off", Kept: "the stored value: no change", Null: "`null`: refused, 400",
	Zero: "`0`: refused, 400", MinusOne: "`-1`: on, without a default", Refused: "nothing: the tool refuses it", Default: "left out: the default applies",
}

// String returns the words of the page.
func (s Sent) String() string { return phrases[s] }

// A Cell is what is sent for one value, with the source.
type Cell struct {
	Sent   Sent
	Source string // "owner/repository: file", with "@" and a commit where it is known; or an issue
}

// A Row describes one setting of one tool.
type Row struct {
	Tool    string // the tool, and the command or the resource
	Setting string // the setting as it is written
	// Item is true for the ttl of an item.
	Item bool
	// Absent is what is sent if the setting is left out at creation, and Update what is sent
	// then by an update.
	Absent, Update, Null, Zero, MinusOne Cell
}

// Sources of several cells.
const (
	srcContainer = "hashicorp/terraform-provider-azurerm: internal/services/cosmos/cosmosdb_sql_container_resource.go@0100e351"
	srcMongo     = "hashicorp/terraform-provider-azurerm: internal/services/cosmos/cosmosdb_mongo_collection_resource.go@084c2405"
	srcComputed  = "hashicorp/terraform-provider-azurerm: issue 7113"
	srcTFNull    = "https://developer.hashicorp.com/terraform/language/expressions/types#null"
	srcAzapi     = "Azure/Azure-Verified-Modules: issue 2901"
	srcAz        = "Azure/azure-cli: src/azure-cli/azure/cli/command_modules/cosmosdb/custom.py@0036063a"
	srcAzNull    = "Azure/azure-cli: issue 29205"
	srcBicepNull = "Azure/bicep: issue 7527"
	srcPage      = "MicrosoftDocs/azure-databases-docs: articles/cosmos-db/time-to-live.md"
	srcDotnet    = "Azure/azure-cosmos-dotnet-v3: Microsoft.Azure.Cosmos/src/Resource/Settings/ContainerProperties.cs"
	srcDotnetTTL = "Azure/azure-cosmos-dotnet-v3: issue 620"
	srcJava      = "Azure/azure-sdk-for-java: sdk/cosmos/azure-cosmos/src/main/java/com/azure/cosmos/implementation/DocumentCollection.java"
	srcPython    = "Azure/azure-sdk-for-python: sdk/cosmos/azure-cosmos/azure/cosmos/database.py"
	srcPyTests   = "Azure/azure-sdk-for-python: sdk/cosmos/azure-cosmos/tests/test_ttl.py"
	srcNode      = "Azure/azure-cosmos-js: test/functional/ttl.spec.ts"
	srcGo        = "Azure/azure-sdk-for-go: sdk/data/azcosmos/cosmos_container_properties.go@02f59d7f"
	srcNullItem  = "MicrosoftDocs/azure-docs: issue 107151"
)

// The rows that other packages use.
var (
	// Container is default_ttl of a container in Terraform.
	Container = Row{
		Tool: "Terraform, `azurerm_cosmosdb_sql_container`", Setting: "default_ttl",
		Absent: Cell{LeftOut, srcContainer}, Update: Cell{Kept, srcComputed}, Null: Cell{LeftOut, srcTFNull}, Zero: Cell{LeftOut, srcContainer}, MinusOne: Cell{MinusOne, srcContainer},
	}
	// Collection is default_ttl_seconds of a collection of the API for MongoDB in Terraform.
	Collection = Row{
		Tool: "Terraform, `azurerm_cosmosdb_mongo_collection`", Setting: "default_ttl_seconds",
		Absent: Cell{LeftOut, srcMongo}, Update: Cell{LeftOut, srcMongo}, Null: Cell{LeftOut, srcTFNull}, Zero: Cell{Refused, srcMongo}, MinusOne: Cell{MinusOne, srcMongo},
	}
)

// Rows are all rows, in the order of the page.
var Rows = []Row{
	Container,
	Collection,
	{
		Tool: "Terraform, `azapi_update_resource`", Setting: "defaultTtl in body",
		Absent: Cell{Kept, srcAzapi}, Update: Cell{Kept, srcAzapi}, Null: Cell{}, Zero: Cell{Zero, srcAzapi}, MinusOne: Cell{MinusOne, srcAzapi},
	},
	{
		Tool: "Bicep, Azure Resource Manager", Setting: "defaultTtl",
		Absent: Cell{LeftOut, srcPage}, Update: Cell{LeftOut, srcPage}, Null: Cell{Null, srcBicepNull}, Zero: Cell{Zero, "Azure/azure-cli: issue 7508"}, MinusOne: Cell{MinusOne, srcPage},
	},
	{
		Tool: "`az cosmosdb sql container`", Setting: "--ttl",
		Absent: Cell{LeftOut, srcAz}, Update: Cell{Kept, srcAz}, Null: Cell{Refused, srcAzNull}, Zero: Cell{Zero, srcAz}, MinusOne: Cell{MinusOne, srcAz},
	},
	{
		Tool: "`az cosmosdb collection`, which is removed", Setting: "--default-ttl",
		Absent: Cell{LeftOut, srcAz}, Update: Cell{Kept, srcAz}, Null: Cell{}, Zero: Cell{LeftOut, srcAz}, MinusOne: Cell{MinusOne, srcAz},
	},
	{
		Tool: "the SDK for .NET", Setting: "DefaultTimeToLive",
		Absent: Cell{LeftOut, srcDotnet}, Update: Cell{LeftOut, srcDotnet}, Null: Cell{LeftOut, srcDotnet}, Zero: Cell{Zero, srcDotnet}, MinusOne: Cell{MinusOne, srcDotnet},
	},
	{
		Tool: "the SDK for Java", Setting: "setDefaultTimeToLiveInSeconds",
		Absent: Cell{LeftOut, srcJava}, Update: Cell{LeftOut, srcJava}, Null: Cell{LeftOut, srcJava}, Zero: Cell{Zero, srcJava}, MinusOne: Cell{MinusOne, srcJava},
	},
	{
		Tool: "the SDK for Python", Setting: "default_ttl",
		Absent: Cell{LeftOut, srcPython}, Update: Cell{LeftOut, srcPython}, Null: Cell{LeftOut, srcPython}, Zero: Cell{Zero, srcPython}, MinusOne: Cell{MinusOne, srcPython},
	},
	{
		Tool: "the SDK for Node.js", Setting: "defaultTtl",
		Absent: Cell{LeftOut, srcNode}, Update: Cell{LeftOut, srcNode}, Null: Cell{Null, srcNode}, Zero: Cell{Zero, srcNode}, MinusOne: Cell{MinusOne, srcNode},
	},
	{
		Tool: "the SDK for Go", Setting: "DefaultTimeToLive",
		Absent: Cell{LeftOut, srcGo}, Update: Cell{LeftOut, srcGo}, Null: Cell{LeftOut, srcGo}, Zero: Cell{Zero, srcGo}, MinusOne: Cell{MinusOne, srcGo},
	},
	{
		Tool: "an item in JSON, or a map of Python or Node.js", Setting: "ttl", Item: true,
		Absent: Cell{Default, srcPage}, Update: Cell{Default, srcPage}, Null: Cell{Null, srcPyTests}, Zero: Cell{Zero, srcPyTests}, MinusOne: Cell{MinusOne, srcPyTests},
	},
	{
		Tool: "an item of .NET, with `int? ttl` and without `NullValueHandling.Ignore`", Setting: "ttl", Item: true,
		Absent: Cell{Null, srcNullItem}, Update: Cell{Null, srcNullItem}, Null: Cell{Null, srcNullItem}, Zero: Cell{Zero, srcDotnetTTL}, MinusOne: Cell{MinusOne, srcPage},
	},
	{
		Tool: "an item of .NET, with a plain `int ttl` that is never set", Setting: "ttl", Item: true,
		Absent: Cell{Zero, srcDotnetTTL}, Update: Cell{Zero, srcDotnetTTL}, Null: Cell{Refused, srcDotnetTTL}, Zero: Cell{Zero, srcDotnetTTL}, MinusOne: Cell{MinusOne, srcPage},
	},
}

// Sent returns the value that the tool sends for v at creation, as the service gets it: Missing if
// it sends none. It reports false if no source says it, or if the tool refuses v. Numbers other
// than 0 and -1 are sent as they are.
func (r Row) Sent(v policy.Value) (policy.Value, bool) {
	n, isInteger := v.AsInt64()
	cell := Cell{}
	switch {
	case v.IsMissing():
		cell = r.Absent
	case v.Kind() == policy.Null:
		cell = r.Null
	case isInteger && n == 0:
		cell = r.Zero
	default:
		return v, true
	}
	switch cell.Sent {
	case LeftOut, Default:
		return policy.Value{}, true
	case Null, Zero:
		return v, true
	}
	return v, false
}

// Table returns the rows about containers, or those about items, as a table in Markdown. Numbers in
// brackets are those of the sources below the tables.
func Table(items bool) string {
	var b strings.Builder
	sources := sources()
	cell := func(c Cell) string {
		if c.Source == "" {
			return c.Sent.String()
		}
		text := c.Sent.String()
		if items && c.Sent == MinusOne {
			text = "`-1`: never expires"
		}
		return fmt.Sprintf("%s (%d)", text, 1+slices.Index(sources, c.Source))
	}
	b.WriteString("| sent by | setting | left out at creation | left out in an update | null | 0 | -1 |\n|---|---|---|---|---|---|---|\n")
	for _, r := range Rows {
		if r.Item == items {
			fmt.Fprintf(&b, "| %s | `%s` | %s | %s | %s | %s | %s |\n", r.Tool, r.Setting, cell(r.Absent), cell(r.Update), cell(r.Null), cell(r.Zero), cell(r.MinusOne))
		}
	}
	return b.String()
}

// Sources returns the numbered list of sources, in Markdown.
func Sources() string {
	var b strings.Builder
	for i, s := range sources() {
		if strings.HasPrefix(s, "https:") {
			s = "<" + s + ">"
		}
		fmt.Fprintf(&b, "%d. %s\n", i+1, s)
	}
	return b.String()
}

// sources returns the sources of all cells in the order of their first use.
func sources() (list []string) {
	for _, r := range Rows {
		for _, c := range []Cell{r.Absent, r.Update, r.Null, r.Zero, r.MinusOne} {
			if c.Source != "" && !slices.Contains(list, c.Source) {
				list = append(list, c.Source)
			}
		}
	}
	return list
}
