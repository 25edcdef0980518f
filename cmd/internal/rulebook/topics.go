package rulebook

import (
	"path"
	"slices"
	"strings"
)

// An Engine is one database whose rules are listed.
type Engine struct {
	Name string // "MongoDB"
	Slug string // "mongodb", the name of its folder and of its index
	// Prefix is what the identifiers of its rules begin with, "mongo.".
	Prefix string
	Topics []*Topic
}

// A Topic is rules that are read together.
type Topic struct {
	Title string
	About string
	Pages []*Page

	// slugs are patterns; a rule belongs to the first topic that accepts it.
	slugs []string
}

// Anchor is the name of the topic's heading on the index of its engine, as
// code hosts derive it.
func (t *Topic) Anchor() string {
	keep := func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', '0' <= r && r <= '9', r == '-', r == ' ':
			return r
		}
		return -1
	}
	return strings.ReplaceAll(strings.Map(keep, strings.ToLower(t.Title)), " ", "-")
}

func (t *Topic) accepts(slug string) bool {
	return slices.ContainsFunc(t.slugs, func(pattern string) bool {
		ok, err := path.Match(pattern, slug)
		return ok && err == nil
	})
}

// engines returns the two engines with their topics, still without pages.
func engines() []*Engine {
	return []*Engine{
		{Name: "MongoDB", Slug: "mongodb", Prefix: "mongo.", Topics: mongoTopics()},
		{Name: "Azure Cosmos DB", Slug: "cosmos", Prefix: "cosmos.", Topics: cosmosTopics()},
	}
}

func mongoTopics() []*Topic {
	return []*Topic{
		{Title: "When a document expires", About: "A date, plus a delay, against the clock.",
			slugs: []string{"no-ttl", "date", "date-strict", "unreachable", "seconds-zero", "seconds-68-years", "earliest-source", "malformed"}},
		{Title: "What the field holds", About: "Types, arrays, and the path that leads there.",
			slugs: []string{"field-*", "array-*", "path-*", "timestamp-unspecified", "first-field"}},
		{Title: "Partial filters", About: "Documents that a partial TTL index leaves out.",
			slugs: []string{"filter-*"}},
		{Title: "Indexes that delete, and that do not", About: "The shape of the index and the kind of its collection.",
			slugs: []string{"index-compound", "index-special*", "index-hashed-deletes", "index-v0*", "index-options", "index-collation-listed", "index-built", "capped*"}},
		{Title: "expireAfterSeconds in the catalog", About: "What a release makes of the number that it finds, NaN included.",
			slugs: []string{"nan-*", "seconds-*"}},
		{Title: "Collections that carry the option", About: "expireAfterSeconds of a collection itself, and clustered collections.",
			slugs: []string{"collection-seconds-*", "clustered*"}},
		{Title: "Time series", About: "Buckets expire, not measurements.",
			slugs: []string{"timeseries-*"}},
		{Title: "The monitor, and who sees what", About: "When what has expired is removed, and by whom.",
			slugs: []string{"monitor-*", "primary-deletes", "orphans-kept", "user-write-block", "fsync-lock", "stale-shard-version", "namespace-*", "expired-visible", "one-code-base"}},
		{Title: "createIndexes", About: "Which TTL indexes are made, and which are refused.",
			slugs: []string{"createindexes-*"}},
		{Title: "collMod", About: "Changing a delay, or giving an index one.",
			slugs: []string{"collmod-*", "command-*"}},
		{Title: "create", About: "Collections made with a TTL.",
			slugs: []string{"create-*"}},
		{Title: "Moving to another release", About: "Upgrades, initial syncs and restores of dumps.",
			slugs: []string{"move-*"}},
	}
}

func cosmosTopics() []*Topic {
	return []*Topic{
		{Title: "When an item expires", About: "The matrix of the container's default and the item's ttl.",
			slugs: []string{"off", "default", "item", "item-never", "no-default", "no-timestamp", "unreachable", "malformed", "item-unspecified", "container-unspecified", "duplicate-unspecified"}},
		{Title: "The numbers and the names", About: "Seconds, _ts, and what the property is called.",
			slugs: []string{"seconds", "timestamp", "server-clock", "property-name", "not-written", "whole-items", "sdk-null", "portal"}},
		{Title: "What is refused", About: "Settings and items that the service does not accept.",
			slugs: []string{"default-refused", "default-type-unspecified", "indexing-none", "indexing-lazy", "path-without-default", "item-refused", "item-zero", "item-type-unspecified", "item-off-unspecified", "refusal-text-unspecified"}},
		{Title: "Over time", About: "Writes, and changes of the setting.",
			slugs: []string{"write-restarts", "ttl-update", "setting-*", "revived", "indexing-*"}},
		{Title: "Who sees what", About: "Hidden at once, purged later.",
			slugs: []string{"expired-invisible", "id-free", "purge", "leaks", "replicas-unspecified"}},
		{Title: "ttlPropertyPath", About: "A time to live that counts from another property.",
			slugs: []string{"path", "path-*"}},
		{Title: "The analytical store", About: "A time to live of its own.",
			slugs: []string{"analytical*"}},
		{Title: "The API for MongoDB", About: "A TTL index on _ts, and a document's ttl.",
			slugs: []string{"mongo-*"}},
	}
}
