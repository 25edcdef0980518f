package audit

import (
	"regexp"
	"testing"
)

const (
	nanIndex = `{"v":2,"key":{"t":1},"name":"t_1","expireAfterSeconds":{"$numberDouble":"NaN"}}`
	dated    = `{"_id":1,"t":{"$date":"2026-11-01T00:00:00Z"}}` + "\n"
	of2015   = `{"_id":2,"t":{"$date":"2015-01-01T00:00:00Z"}}` + "\n"
	old      = `{"_id":2,"t":{"$date":"1956-01-01T00:00:00Z"}}` + "\n"
	text     = `{"_id":3,"t":"2026-11-01"}` + "\n"
	missing  = `{"_id":4}` + "\n"
)

// unfilled matches a placeholder that was not replaced.
var unfilled = regexp.MustCompile(`\{(release|option|field|type|n|value|name|looks|years)\}`)

// TestHazards: each hazard gives the expected findings: severity, rule and
// index.
func TestHazards(t *testing.T) {
	tests := []struct {
		why, release, options, indexes, documents string
		want                                      []string
	}{
		{"an ordinary index", "8.0.0", `{}`, `{"key":{"t":1},"name":"t_1","expireAfterSeconds":3600}`, dated, nil},
		{"no TTL at all", "8.0.0", `{}`, `{"key":{"t":1},"name":"t_1"}`, dated + text, nil},
		{"a time of day", "8.0.0", `{}`, `{"key":{"t":1},"name":"t_1","expireAfterSeconds":0}`, "", nil},

		{"NaN that fails", "4.4.15", `{}`, nanIndex, "", []string{"keeps mongo.nan-aborts t_1"}},
		{"NaN that fails since 3.4", "3.4.0", `{}`, nanIndex, "", []string{"keeps mongo.nan-aborts t_1"}},
		{"NaN that is 0 up to 3.2", "3.2.22", `{}`, nanIndex, "", []string{"deletes mongo.nan-zero t_1"}},
		{"0 that is no NaN", "3.2.22", `{}`, `{"key":{"t":1},"name":"t_1","expireAfterSeconds":0}`, "", nil},
		{"0 that may be one", "5.0.13", `{}`, `{"key":{"t":1},"name":"t_1","expireAfterSeconds":0}`, "", []string{"harmless mongo.seconds-listed t_1"}},
		{"milliseconds that wrap", "3.2.22", `{}`, `{"key":{"t":1},"name":"t_1","expireAfterSeconds":{"$numberDouble":"1e300"}}`, "", []string{"deletes mongo.seconds-wrap t_1"}},
		{"milliseconds that wrap", "2.4.14", `{}`, `{"key":{"t":1},"name":"t_1","expireAfterSeconds":{"$numberLong":"9223372036854775807"}}`, "", []string{"deletes mongo.seconds-wrap t_1"}},
		{"milliseconds that are checked", "3.4.0", `{}`, `{"key":{"t":1},"name":"t_1","expireAfterSeconds":{"$numberDouble":"1e300"}}`, "", []string{"keeps mongo.seconds-overflow t_1"}},
		{"NaN as a direction", "4.0.0", `{}`, `{"key":{"t":{"$numberDouble":"NaN"}},"name":"t_1","expireAfterSeconds":1}`, "", []string{"keeps mongo.index-direction-nan t_1"}},
		{"a filter that is not looked at", "3.0.15", `{}`, `{"key":{"t":1},"name":"t_1","expireAfterSeconds":1,"partialFilterExpression":{"k":"x"}}`, "", []string{"deletes mongo.filter-ignored t_1"}},
		{"a filter that is", "3.2.0", `{}`, `{"key":{"t":1},"name":"t_1","expireAfterSeconds":1,"partialFilterExpression":{"k":"x"}}`, "", nil},
		{"NaN that is 0", "5.0.13", `{}`, nanIndex, "", []string{"deletes mongo.nan-zero t_1"}},
		{"NaN that is 0 again", "6.0.1", `{}`, nanIndex, "", []string{"deletes mongo.nan-zero t_1"}},
		{"NaN that is skipped", "5.0.14", `{}`, nanIndex, "", []string{"keeps mongo.nan-skipped t_1"}},
		{"text", "8.0.0", `{}`, `{"key":{"t":1},"name":"t_1","expireAfterSeconds":"3600"}`, "", []string{"keeps mongo.seconds-not-number t_1"}},
		{"null", "8.0.0", `{}`, `{"key":{"t":1},"name":"t_1","expireAfterSeconds":null}`, "", []string{"keeps mongo.seconds-not-number t_1"}},
		{"a negative delay that is used", "6.0.5", `{}`, `{"key":{"t":1},"name":"t_1","expireAfterSeconds":-1}`, "", []string{"deletes mongo.date t_1"}},
		{"and one that is skipped", "7.0.0", `{}`, `{"key":{"t":1},"name":"t_1","expireAfterSeconds":-1}`, "", []string{"keeps mongo.seconds-invalid t_1"}},
		{"and one of which nobody knows", "6.2.0", `{}`, `{"key":{"t":1},"name":"t_1","expireAfterSeconds":-1}`, "", []string{"unspecified mongo.seconds-unspecified t_1"}},
		{"a delay too long that is used", "4.0.0", `{}`, `{"key":{"t":1},"name":"t_1","expireAfterSeconds":{"$numberLong":"2147483648"}}`, "", []string{"harmless mongo.seconds-invalid t_1"}},
		{"one that overflows", "6.0.5", `{}`, `{"key":{"t":1},"name":"t_1","expireAfterSeconds":{"$numberLong":"9223372036854775807"}}`, "", []string{"keeps mongo.seconds-overflow t_1"}},
		{"68 years", "8.0.0", `{}`, `{"key":{"t":1},"name":"t_1","expireAfterSeconds":2147483647}`, "", []string{"deletes mongo.seconds-68-years t_1"}},
		{"68 years, and somebody that old", "8.0.0", `{}`, `{"key":{"t":1},"name":"t_1","expireAfterSeconds":2147483647}`, dated + old, []string{"deletes mongo.seconds-68-years t_1"}},
		{"68 years, and nobody that old", "8.0.0", `{}`, `{"key":{"t":1},"name":"t_1","expireAfterSeconds":2147483647}`, dated, []string{"harmless mongo.seconds-68-years t_1"}},
		{"one second less is a delay like any other", "8.0.0", `{}`, `{"key":{"t":1},"name":"t_1","expireAfterSeconds":2147483646}`, "", nil},
		{"a fraction", "6.0.5", `{}`, `{"key":{"t":1},"name":"t_1","expireAfterSeconds":4.5}`, "", []string{"harmless mongo.seconds-conversion t_1"}},
		{"a whole double", "6.0.5", `{}`, `{"key":{"t":1},"name":"t_1","expireAfterSeconds":4.0}`, "", nil},
		{"a decimal fraction", "6.0.5", `{}`, `{"key":{"t":1},"name":"t_1","expireAfterSeconds":{"$numberDecimal":"4.5"}}`, "", []string{"harmless mongo.seconds-conversion t_1"}},
		{"a 0 that may be a NaN", "5.0.9", `{}`, `{"key":{"t":1},"name":"t_1","expireAfterSeconds":0}`, "", []string{"harmless mongo.seconds-listed t_1"}},
		{"a 0 that is not one", "5.0.14", `{}`, `{"key":{"t":1},"name":"t_1","expireAfterSeconds":0}`, "", nil},

		{"compound", "4.0.0", `{}`, `{"key":{"t":1,"u":1},"name":"c","expireAfterSeconds":1}`, "", []string{"keeps mongo.index-compound c"}},
		{"hashed", "8.0.0", `{}`, `{"key":{"t":"hashed"},"name":"h","expireAfterSeconds":1}`, "", []string{"keeps mongo.index-special h"}},
		{"wildcard", "8.0.0", `{}`, `{"key":{"$**":1},"name":"w","expireAfterSeconds":1}`, "", []string{"keeps mongo.index-special w"}},
		{"text index", "8.0.0", `{}`, `{"key":{"_fts":"text","_ftsx":1},"name":"x","expireAfterSeconds":1,"weights":{"t":1}}`, "", []string{"keeps mongo.index-compound x"}},
		{"2d of old", "3.0.0", `{}`, `{"key":{"t":"2d"},"name":"h","expireAfterSeconds":1}`, "", []string{"unspecified mongo.index-special-unspecified h"}},
		{"a path that cannot be", "8.0.0", `{}`, `{"key":{"t..u":1},"name":"p","expireAfterSeconds":1}`, "", []string{"keeps mongo.path-refused p"}},
		{"hidden", "8.0.0", `{}`, `{"key":{"t":1},"name":"t_1","expireAfterSeconds":1,"hidden":true}`, dated, []string{"harmless mongo.index-options t_1"}},
		{"capped of old", "4.4.0", `{"capped":true,"size":4096}`, `{"key":{"t":1},"name":"t_1","expireAfterSeconds":1}`, "", []string{"keeps mongo.capped t_1"}},
		{"capped in between", "6.0.24", `{"capped":true,"size":4096}`, `{"key":{"t":1},"name":"t_1","expireAfterSeconds":1}`, "", []string{"keeps mongo.capped t_1"}},
		{"capped in late patches", "6.0.25", `{"capped":true,"size":4096}`, `{"key":{"t":1},"name":"t_1","expireAfterSeconds":1}`, "", []string{"unspecified mongo.capped-unspecified t_1"}},
		{"capped now", "7.1.0", `{"capped":true,"size":4096}`, `{"key":{"t":1},"name":"t_1","expireAfterSeconds":1}`, "", nil},
		{"the option of an ordinary collection", "8.0.0", `{"expireAfterSeconds":60}`, ``, "", []string{"keeps mongo.no-ttl"}},
		{"a filter this release cannot hold", "5.0.0", `{}`, `{"key":{"t":1},"name":"t_1","expireAfterSeconds":1,"partialFilterExpression":{"a":{"$in":[1]}}}`, "", []string{"unspecified mongo.filter-unspecified t_1"}},

		{"two on one field", "8.0.0", `{}`, `{"key":{"t":1},"name":"a","expireAfterSeconds":60},{"key":{"t":1},"name":"b","expireAfterSeconds":90,"sparse":true}`, "", []string{"deletes mongo.earliest-source b"}},
		{"in the other order", "8.0.0", `{}`, `{"key":{"t":1},"name":"b","expireAfterSeconds":90},{"key":{"t":-1},"name":"a","expireAfterSeconds":60}`, "", []string{"deletes mongo.earliest-source b"}},
		{"a filter for fewer goes earlier", "8.0.0", `{}`, `{"key":{"t":1},"name":"a","expireAfterSeconds":60,"partialFilterExpression":{"k":1}},{"key":{"t":1},"name":"b","expireAfterSeconds":90}`, "", nil},
		{"a filter for fewer goes later", "8.0.0", `{}`, `{"key":{"t":1},"name":"a","expireAfterSeconds":90,"partialFilterExpression":{"k":1}},{"key":{"t":1},"name":"b","expireAfterSeconds":60}`, "", []string{"deletes mongo.earliest-source a"}},
		{"two that are as long", "8.0.0", `{}`, `{"key":{"t":1},"name":"a","expireAfterSeconds":60},{"key":{"t":-1},"name":"b","expireAfterSeconds":60}`, "", nil},
		{"one filter for both", "8.0.0", `{}`, `{"key":{"t":1},"name":"a","expireAfterSeconds":90,"partialFilterExpression":{"k":1}},{"key":{"t":-1},"name":"b","expireAfterSeconds":60,"partialFilterExpression":{"k":1}}`, "", []string{"deletes mongo.earliest-source a"}},
		{"two that cannot be at once", "8.0.0", `{}`, `{"key":{"t":1},"name":"a","expireAfterSeconds":60},{"key":{"t":1},"name":"b","expireAfterSeconds":90}`, "", []string{"deletes mongo.earliest-source b", "keeps mongo.createindexes-conflict b"}},
		{"one beside a plain index", "8.0.0", `{}`, `{"key":{"t":1},"name":"a"},{"key":{"t":1},"name":"b","expireAfterSeconds":90}`, "", []string{"keeps mongo.createindexes-conflict b"}},
		{"one before a plain index", "8.0.0", `{}`, `{"key":{"t":1},"name":"b","expireAfterSeconds":90},{"key":{"t":1},"name":"a"}`, "", nil},
		{"two of one name", "8.0.0", `{}`, `{"key":{"t":1},"name":"a","expireAfterSeconds":90},{"key":{"u":1},"name":"a","expireAfterSeconds":60}`, "", []string{"keeps mongo.createindexes-name a"}},
		{"on _id", "8.0.0", `{}`, `{"key":{"_id":1},"name":"_id_","expireAfterSeconds":60}`, "", []string{"keeps mongo.createindexes-id _id_"}},
		{"on _id, of old", "3.2.0", `{}`, `{"key":{"_id":1},"name":"_id_","expireAfterSeconds":60}`, "", []string{"keeps mongo.createindexes-conflict _id_"}},
		{"on _id, of older", "2.4.0", `{}`, `{"key":{"_id":1},"name":"_id_","expireAfterSeconds":60}`, "", nil},
		{"sparse and partial", "8.0.0", `{}`, `{"key":{"t":1},"name":"t_1","expireAfterSeconds":60,"sparse":true,"partialFilterExpression":{"a":1}}`, "", []string{"keeps mongo.createindexes-partial-sparse t_1"}},
		{"two fields are no matter", "8.0.0", `{}`, `{"key":{"t":1},"name":"a","expireAfterSeconds":60},{"key":{"u":1},"name":"b","expireAfterSeconds":90}`, "", nil},
		{"an idle one is no rival", "8.0.0", `{}`, `{"key":{"t":1},"name":"a","expireAfterSeconds":60},{"key":{"t":"hashed"},"name":"h","expireAfterSeconds":90}`, "", []string{"keeps mongo.index-special h"}},

		{"some text", "8.0.0", `{}`, `{"key":{"t":1},"name":"t_1","expireAfterSeconds":1}`, dated + text, []string{"keeps mongo.field-not-date t_1"}},
		{"all text", "8.0.0", `{}`, `{"key":{"t":1},"name":"t_1","expireAfterSeconds":1}`, text + text, []string{"keeps mongo.field-not-date t_1"}},
		{"an optional deadline that nobody has", "8.0.0", `{}`, `{"key":{"t":1},"name":"t_1","expireAfterSeconds":0}`, missing + `{"t":null}`, []string{"harmless mongo.field-missing t_1"}},
		{"an optional deadline that some have", "8.0.0", `{}`, `{"key":{"t":1},"name":"t_1","expireAfterSeconds":0}`, dated + `{"t":null}`, nil},
		{"an optional deadline of another type", "8.0.0", `{}`, `{"key":{"t":1},"name":"t_1","expireAfterSeconds":0}`, missing + text, []string{"keeps mongo.field-not-date t_1"}},
		{"null, and time to live", "8.0.0", `{}`, `{"key":{"t":1},"name":"t_1","expireAfterSeconds":1}`, `{"t":null}`, []string{"keeps mongo.field-null t_1"}},
		{"nothing but missing", "8.0.0", `{}`, `{"key":{"t":1},"name":"t_1","expireAfterSeconds":1}`, missing + missing, []string{"keeps mongo.field-missing t_1"}},
		{"some missing is how to keep a document", "8.0.0", `{}`, `{"key":{"t":1},"name":"t_1","expireAfterSeconds":1}`, dated + missing, nil},
		{"an array in an array", "8.0.0", `{}`, `{"key":{"t":1},"name":"t_1","expireAfterSeconds":1}`, dated + `{"t":[[{"$date":"2020-01-01T00:00:00Z"}]]}`, []string{"keeps mongo.array-nested t_1"}},
		{"a filter that takes in nothing", "8.0.0", `{}`, `{"key":{"t":1},"name":"t_1","expireAfterSeconds":1,"partialFilterExpression":{"k":"x"}}`, dated + text, []string{"keeps mongo.filter-mismatch t_1"}},
		{"a filter that takes in no Date", "8.0.0", `{}`, `{"key":{"t":1},"name":"t_1","expireAfterSeconds":1,"partialFilterExpression":{"_id":3}}`, dated + text, []string{"keeps mongo.field-not-date t_1"}},
		{"a filter that takes in one", "8.0.0", `{}`, `{"key":{"t":1},"name":"t_1","expireAfterSeconds":1,"partialFilterExpression":{"_id":1}}`, dated + text, nil},
		{"geometry is not decided", "8.0.0", `{}`, `{"key":{"t":1},"name":"t_1","expireAfterSeconds":1,"partialFilterExpression":{"g":{"$geoWithin":{"$box":[[0,0],[1,1]]}}}}`, dated, []string{"unspecified mongo.filter-unspecified t_1"}},
		{"a timestamp of old", "2.4.0", `{}`, `{"key":{"t":1},"name":"t_1","expireAfterSeconds":1}`, dated + `{"t":{"$timestamp":{"t":1,"i":1}}}`, nil},
		{"a timestamp of old, under a long delay", "2.4.0", `{}`, `{"key":{"t":1},"name":"t_1","expireAfterSeconds":1325376001}`, dated + `{"t":{"$timestamp":{"t":1,"i":1}}}`, []string{"unspecified mongo.timestamp-unspecified t_1"}},
		{"an empty dump shows nothing", "8.0.0", `{}`, `{"key":{"t":1},"name":"t_1","expireAfterSeconds":1}`, "\n", nil},

		{"clustered", "8.0.0", `{"clusteredIndex":{"key":{"_id":1},"unique":true},"expireAfterSeconds":{"$numberLong":"60"}}`, ``, `{"_id":{"$date":"2026-11-01T00:00:00Z"}}`, nil},
		{"clustered, by something else", "8.0.0", `{"clusteredIndex":{"key":{"_id":1},"unique":true},"expireAfterSeconds":{"$numberLong":"60"}}`, ``, dated, []string{"keeps mongo.clustered-not-date"}},
		{"clustered, before 1970", "8.0.0", `{"clusteredIndex":{"key":{"_id":1},"unique":true},"expireAfterSeconds":{"$numberLong":"60"}}`, ``, `{"_id":{"$date":{"$numberLong":"-1"}}}`, []string{"keeps mongo.clustered-before-1970"}},
		{"clustered, as listIndexes shows it", "8.0.0", `{}`, `{"key":{"_id":1},"name":"_id_","unique":true,"clustered":true,"expireAfterSeconds":60}`, dated, []string{"keeps mongo.clustered-not-date"}},
		{"clustered, whose own option counts", "8.0.0", `{"clusteredIndex":{"key":{"_id":1},"unique":true},"expireAfterSeconds":{"$numberLong":"60"}}`, `{"key":{"_id":1},"name":"_id_","unique":true,"clustered":true,"expireAfterSeconds":-5}`, "", nil},
		{"clustered, shown twice", "8.0.0", `{"clusteredIndex":{"key":{"_id":1},"unique":true},"expireAfterSeconds":{"$numberLong":"60"}}`, `{"key":{"_id":1},"name":"_id_","unique":true,"clustered":true,"expireAfterSeconds":60}`, dated, []string{"keeps mongo.clustered-not-date"}},

		{"time-series", "8.0.0", `{"timeseries":{"timeField":"t"},"expireAfterSeconds":{"$numberLong":"60"}}`, ``, dated, nil},
		{"before 1970", "8.0.4", `{"timeseries":{"timeField":"t"},"expireAfterSeconds":{"$numberLong":"60"}}`, ``, dated + old, []string{"keeps mongo.timeseries-extended-range"}},
		{"flagged", "8.0.4", `{"timeseries":{"timeField":"t"},"expireAfterSeconds":{"$numberLong":"60"},"requiresExtendedRangeSupport":true}`, ``, "", []string{"keeps mongo.timeseries-extended-range"}},
		{"before 2017-11-28", "7.0.4", `{"timeseries":{"timeField":"t"},"expireAfterSeconds":{"$numberLong":"60"}}`, ``, dated + of2015, []string{"keeps mongo.timeseries-before-2017"}},
		{"before 2017-11-28, of which nobody knows", "7.1.0", `{"timeseries":{"timeField":"t"},"expireAfterSeconds":{"$numberLong":"60"}}`, ``, dated + of2015, []string{"unspecified mongo.timeseries-before-2017-unspecified"}},
		{"before 1970, mended", "8.0.12", `{"timeseries":{"timeField":"t"},"expireAfterSeconds":{"$numberLong":"60"}}`, ``, dated + old, nil},
		{"a delay that reaches back before 1970", "8.0.0", `{"timeseries":{"timeField":"t"},"expireAfterSeconds":{"$numberLong":"1795132799"}}`, ``, "", []string{"deletes mongo.timeseries-bound-wraps"}},
		{"one in a release that leaves out 1970", "7.0.4", `{"timeseries":{"timeField":"t"},"expireAfterSeconds":{"$numberLong":"1795132799"}}`, ``, "", []string{"deletes mongo.timeseries-bound-wraps"}},
		{"one that just reaches back", "8.0.0", `{"timeseries":{"timeField":"t"},"expireAfterSeconds":{"$numberLong":"1795129201"}}`, ``, "", []string{"deletes mongo.timeseries-bound-wraps"}},
		{"one that does not", "8.0.0", `{"timeseries":{"timeField":"t"},"expireAfterSeconds":{"$numberLong":"1795129200"}}`, ``, "", nil},
		{"measurements under one that reaches back", "8.0.0", `{"timeseries":{"timeField":"t"},"expireAfterSeconds":{"$numberLong":"1795132799"}}`, ``, dated, []string{"deletes mongo.timeseries-bound-wraps", "unspecified mongo.timeseries-bound-unspecified"}},
		{"one that does by a longer span", "8.0.0", `{"timeseries":{"timeField":"t","granularity":"hours"},"expireAfterSeconds":{"$numberLong":"1795129200"}}`, ``, "", []string{"deletes mongo.timeseries-bound-wraps"}},
		{"an index of a time-series collection", "6.2.0", `{"timeseries":{"timeField":"t","metaField":"m"}}`, `{"key":{"t":1},"name":"t_1","expireAfterSeconds":1,"partialFilterExpression":{"m":1}}`, "", []string{"keeps mongo.timeseries-index-refused t_1"}},
		{"one of the wrong shape", "6.3.0", `{"timeseries":{"timeField":"t","metaField":"m"}}`, `{"key":{"u":1},"name":"u_1","expireAfterSeconds":1}`, "", []string{"keeps mongo.timeseries-index-shape u_1"}},
		{"an option that no collection can have", "8.0.0", `{"timeseries":{"timeField":"t"},"expireAfterSeconds":-1}`, ``, "", []string{"unspecified mongo.collection-seconds-unspecified"}},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			target := with(t, described(t, tt.options, tt.indexes), tt.documents)
			r := audited(t, target, on(t, tt.release))
			checkFindings(t, r, tt.want...)
			for _, f := range r.Findings {
				if unfilled.MatchString(f.Text) || f.Text == "" {
					t.Errorf("the text is %q", f.Text)
				}
			}
		})
	}
}

// TestNamespaces: the audit finds that a TTL index has no effect in a namespace where the
// server deletes nothing.
func TestNamespaces(t *testing.T) {
	for namespace, want := range map[string]string{
		"shop.logs": "", "logs": "",
		"shop.system.profile":            "keeps mongo.namespace-excluded t_1",
		"shop.system.resharding.5f1a":    "keeps mongo.namespace-excluded t_1",
		"admin.system.new_users":         "",
		"shop.a$b":                       "unspecified mongo.namespace-unspecified t_1",
		"config.system.sessions":         "",
		"shop.system.buckets.weather.of": "",
	} {
		target := with(t, described(t, `{}`, `{"key":{"t":1},"name":"t_1","expireAfterSeconds":1}`), dated)
		target.Rename(namespace)
		r := audited(t, target, on(t, "8.0.4"))
		if want == "" {
			checkFindings(t, r)
			continue
		}
		checkFindings(t, r, want)
	}
}
