package mongo

import (
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/catalog"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TTLIndex returns the index that createIndexes stores for the key {field: 1} and a delay in
// seconds; [policy.SecondsOf] makes them of a duration. Its expireAfterSeconds is an int32, and
// its name is the one that drivers make, such as "createdAt_1". The field may be a dotted
// path. The format is left out, which means the current one.
//
// TTLIndex does not check whether a release accepts the index: pass the result of
// [IndexSpec.Document] to CreateIndexes of package mongo/command. Current releases
// refuse an empty field and a negative number of seconds. [CompileCollection] decides about
// either if it is stored nevertheless.
func TTLIndex(field string, after int32) IndexSpec {
	key := policy.D{{Key: field, Value: policy.Int32Value(1)}}
	return IndexSpec{Name: catalog.DefaultName(key), Key: key, ExpireAfterSeconds: policy.Int32Value(after)}
}
