// Package policytext reads a TTL policy from what people write and paste: calls
// of the shell and of drivers, listings, schemas of mongoose, containers as
// Azure's tools, templates and SDKs have them. It says how a text was read
// where that is not plain, and which field is misspelt: a policy is never off
// because nobody knew its spelling.
//
// What a catalog holds is another matter: a server ignores an option that it
// does not know. [IndexRemarks], [OptionRemarks] and [ContainerRemarks] say what
// such a field may have been meant for, and change nothing.
package policytext
