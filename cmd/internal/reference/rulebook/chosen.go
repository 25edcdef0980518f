package rulebook

import "slices"

// chosen are the examples of rules that decide no vector by themselves, or not the one that
// shows their statement best: such as a rule about how a number is read, which another
// rule decides by. Each was read beside the statement of its rule.
var chosen = map[string]string{
	"cosmos.indexing-consistent":              "cosmos-container-indexing-nothing",
	"cosmos.indexing-lazy":                    "cosmos-container-indexing-lazy",
	"cosmos.item-off-unspecified":             "cosmos-write-off-zero",
	"cosmos.item-zero":                        "cosmos-write-zero",
	"cosmos.mongo-core":                       "cosmosmongo-default",
	"cosmos.mongo-doc-level-ttl":              "cosmosmongo-ttl-old-server-shortens",
	"cosmos.mongo-field-boundary-unspecified": "cosmosmongo-field-on-deadline",
	"cosmos.mongo-no-default":                 "cosmosmongo-index-create-minus-one",
	"cosmos.mongo-timestamp":                  "cosmosmongo-default-later-write",
	"cosmos.no-timestamp":                     "cosmos-no-timestamp-absent",
	"cosmos.path":                             "cosmos-path-integer",
	"cosmos.property-name":                    "cosmos-name-upper-case",
	"cosmos.revived":                          "cosmos-off-without-ttl",
	"cosmos.sdk-null":                         "cosmos-container-null",
	"cosmos.seconds":                          "cosmos-unit-is-seconds",
	"cosmos.server-clock":                     "cosmos-default-on-deadline",
	"cosmos.setting-now":                      "cosmos-default-without-ttl",
	"cosmos.setting-off":                      "cosmos-off-ttl-1000",
	"cosmos.timestamp":                        "cosmos-default-within-second",
	"cosmos.ttl-update":                       "cosmos-item-minus-one-short-default",
	"cosmos.unreachable":                      "cosmos-unreachable",
	"cosmos.write-restarts":                   "cosmos-last-write-counts-later",
	"mongo.array-position":                    "mongodb-path-position-of-date",
	"mongo.collection-seconds-conversion":     "mongodb-create-nan",
	"mongo.collection-seconds-off":            "mongodb-collmod-own-off-without",
	"mongo.collmod-conversion":                "mongodb-collmod-nan",
	"mongo.collmod-in-place":                  "mongodb-collmod-int32-mmapv1",
	"mongo.collmod-reply":                     "mongodb-collmod-change",
	"mongo.collmod-reply-elements":            "mongodb-collmod-stored-fraction",
	"mongo.collmod-reply-invalid":             "mongodb-collmod-stored-nan-same",
	"mongo.collmod-reply-seconds":             "mongodb-collmod-change",
	"mongo.collmod-special":                   "mongodb-collmod-hashed",
	"mongo.collmod-stores-any":                "mongodb-collmod-minus-one",
	"mongo.collmod-wildcard":                  "mongodb-collmod-wildcard",
	"mongo.command-unspecified":               "mongodb-collmod-type-document",
	"mongo.createindexes-conversion":          "mongodb-createindexes-double-minus-0-9",
	"mongo.createindexes-no-op":               "mongodb-createindexes-exists",
	"mongo.createindexes-special":             "mongodb-createindexes-hashed",
	"mongo.createindexes-stored":              "mongodb-createindexes-double",
	"mongo.createindexes-unchecked":           "mongodb-createindexes-minus-one",
	"mongo.createindexes-unspecified":         "mongodb-createindexes-v-zero",
	"mongo.earliest-source":                   "mongodb-several-second-earlier",
	"mongo.filter-extreme-types":              "mongodb-partial-extreme-below-maxkey",
	"mongo.filter-ignored":                    "mongodb-partial-manual-outside",
	"mongo.filter-null-parameter":             "mongodb-partial-nullpath-parameter",
	"mongo.filter-null-path":                  "mongodb-partial-nullpath-empty-array",
	"mongo.filter-unspecified":                "mongodb-partial-collation",
	"mongo.first-field":                       "mongodb-path-repeated-name-null-first",
	"mongo.index-hashed-deletes":              "mongodb-index-hashed",
	"mongo.index-options":                     "mongodb-index-hidden",
	"mongo.index-type-unknown":                "mongodb-index-unknown-type",
	"mongo.namespace-unspecified":             "mongodb-namespace-oplog",
	"mongo.nan-zero":                          "mongodb-seconds-nan",
	"mongo.seconds-68-years":                  "mongodb-68-years-past",
	"mongo.seconds-conversion":                "mongodb-seconds-double-4-5",
	"mongo.seconds-normalised":                "mongodb-createindexes-double-50-7",
	"mongo.seconds-not-number-zero":           "mongodb-seconds-string-future",
	"mongo.seconds-wrap":                      "mongodb-seconds-wraps-to-384-ms",
	"mongo.seconds-zero":                      "mongodb-zero-clock-time",
	"mongo.timeseries-bound-unspecified":      "mongodb-timeseries-bound-wraps",
	"mongo.timeseries-metadata-sorted":        "mongodb-timeseries-metadata-sorted",
	"mongo.timeseries-option-change":          "mongodb-timeseries-minutes",
	"mongo.timeseries-rounding":               "mongodb-timeseries-minute-begins-not-due",
	"mongo.timestamp-sorts":                   "mongodb-type-timestamp-of-100-seconds",
}

// chosenExample returns the example of p in [chosen], nil if there is none: with an answer
// by its rule, else one for a release for which it holds.
func (p *Page) chosenExample() *Example {
	for _, c := range slices.Concat(p.Cases, p.Also) {
		if c.ID != chosen[p.ID] {
			continue
		}
		for _, fits := range []func(Answer) bool{
			func(a Answer) bool { return a.Decider == p },
			func(a Answer) bool { return p.HoldsAt(a.Scope.System, a.Latest) },
		} {
			if i := slices.IndexFunc(c.Answers, fits); i >= 0 {
				if drawn, _ := draw(c, c.Answers[i]); drawn != nil && c.Answers[i].State != "open" {
					return drawn
				}
				return &Example{Case: c, Answer: c.Answers[i]}
			}
		}
	}
	return nil
}
