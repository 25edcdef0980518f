package mentions

import "strings"

// Instead returns what to do about a mention in a file of this name: how to get the value that
// the server or the service has, or gets.
func Instead(name string, isCosmos bool) string {
	name = strings.ToLower(name)
	ends := func(list ...string) bool {
		for _, end := range list {
			if strings.HasSuffix(name, end) {
				return true
			}
		}
		return false
	}
	switch {
	case ends(".tf", ".tofu", ".tfvars", ".tfvars.json", ".hcl"):
		return "Terraform knows the value: write its plan or its state as JSON by terraform show -json, and name that file."
	case ends(".bicep", ".bicepparam", ".parameters.json"), ends(".json") && isCosmos:
		return "Compile the template by bicep build, and name the file with its JSON; expressions that are left, az deployment group what-if computes. What the service has is shown by az cosmosdb sql container show."
	case isCosmos:
		return "Nothing is evaluated here. What the service has is shown by az cosmosdb sql container show: name a file with its output."
	}
	return "Nothing is evaluated here. Run the program against a test database, and audit that database: ttl audit mongodb://…, or a file with the reply of listIndexes."
}
