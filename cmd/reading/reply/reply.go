// Package reply tells documents of a database from the replies to requests and from records of
// changes, which hold such documents.
package reply

import (
	"fmt"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// An Error is the error about a document that is the reply to a request, or the record
// of a change, and holds the stored documents. Counted as a document, it would be one that
// has no date and never expires.
type Error struct {
	What string // what the document is
	In   string // the member that holds the stored documents
}

// Error says where the documents are, and how to give them.
func (e *Error) Error() string {
	return fmt.Sprintf("this is %s, not a stored document: what is stored is in %s. Give that by itself, each document on a line or all as an array, and all pages of it. A stored document of this form has an _id, or an id", e.What, e.In)
}

// A form describes replies whose documents are the array in, and which have no members
// but in and others.
type form struct {
	what, in string
	others   []string
}

var forms = []form{
	// Azure Cosmos DB, REST: the response bodies of List Documents and Query Documents.
	{"a page of Azure Cosmos DB's REST API", "Documents", []string{"_rid", "_count", "_etag"}},
	// The MongoDB Atlas Data API: the response of find and aggregate.
	{"a reply of the Data API", "documents", nil},
	// The SDK for JavaScript: the FeedResponse of fetchAll and fetchNext.
	{"a response of an SDK of Azure Cosmos DB", "resources", []string{
		"headers", "diagnostics", "hasMoreResults", "continuationToken", "continuation", "requestCharge", "activityId", "correlatedActivityId", "queryMetrics", "indexMetrics", "etag",
	}},
}

// eventMembers are members of the metadata of Azure Cosmos DB's change feed, in the mode of all
// versions and deletes. Each record has one of them.
var eventMembers = []string{"operationType", "lsn", "crts", "previousImageLSN", "timeToLiveExpired"}

// Check returns a [*Error] if doc is a reply or the record of a change. A document
// with an identifier is neither: MongoDB gives each stored document an _id, and each item of
// Azure Cosmos DB has an id. Only a change event of MongoDB has an _id too, with a resume token.
func Check(doc policy.Document) error {
	id := doc.Field("_id")
	switch {
	case isToken(id) && doc.Field("operationType").Kind() == policy.String:
		return &Error{"an event of a change stream", "fullDocument"}
	case IsIdentified(doc):
		return nil
	}
	for _, f := range forms {
		if v := doc.Field(f.in); isDocuments(v) && f.hasAll(doc) {
			return &Error{f.what, f.in}
		}
	}
	cursor, metadata := doc.Field("cursor"), doc.Field("metadata")
	for _, batch := range []string{"firstBatch", "nextBatch"} {
		if cursor.Kind() == policy.Object && isDocuments(cursor.Field(batch)) {
			return &Error{"a reply of a server", "cursor." + batch}
		}
	}
	isEvent := func(name string) bool { return !metadata.Field(name).IsMissing() }
	switch {
	case isDocuments(doc.Field("result")) && doc.Field("ok").Kind().IsNumber():
		return &Error{"a reply of a server", "result"}
	case doc.Field("_rid").Kind() == policy.String && doc.Field("_count").Kind().IsNumber():
		return &Error{"a page of Azure Cosmos DB's REST API", "its array"}
	case doc.Field("document").Kind() == policy.Object && (form{in: "document"}).hasAll(doc):
		return &Error{"a reply of the Data API", "document"}
	case metadata.Kind() == policy.Object && slices.ContainsFunc(eventMembers, isEvent) && (doc.Field("current").Kind() == policy.Object || doc.Field("previous").Kind() == policy.Object):
		return &Error{"a record of a change feed", "current"}
	}
	return nil
}

// IsIdentified reports whether doc has the identifier of a stored document.
func IsIdentified(doc policy.Document) bool {
	id := doc.Field("_id")
	return !id.IsMissing() && !isToken(id) || id.IsMissing() && !doc.Field("id").IsMissing()
}

// isToken reports whether an _id is the resume token of a change event.
func isToken(id policy.Value) bool {
	return id.Kind() == policy.Object && !id.Field("_data").IsMissing()
}

// isDocuments reports whether v is an array of documents. An empty array counts.
func isDocuments(v policy.Value) bool {
	e := v.Elements()
	return v.Kind() == policy.List && (!e.Next() || e.Value().Kind() == policy.Object)
}

// hasAll reports whether doc has no members but those of the form. It reports false for a
// document that cannot list its members.
func (f form) hasAll(doc policy.Document) bool {
	fields := policy.ObjectValue(doc).Fields()
	for fields.Next() {
		if name := fields.Name(); name != f.in && !slices.Contains(f.others, name) {
			return false
		}
	}
	return fields.Listed()
}
