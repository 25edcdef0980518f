package mongo

import (
	"github.com/ttlpolicy/ttlpolicy/mongo/internal/catalog"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TTLIndex returns the index that createIndexes stores for {field: 1} with an
// expireAfterSeconds of after, an int32, under the name that drivers give it, such as
// "createdAt_1". The field may be a dotted path. The format is left out, so that it is
// that of today.
//
// Whether a release accepts such an index is for ValidateCreateIndexes of package
// mongo/command, which takes what [IndexSpec.Document] returns; releases of today refuse an
// empty field and a negative number of seconds. [CompileCollection] knows what a release
// does with either where it is stored all the same.
func TTLIndex(field string, after policy.Seconds) IndexSpec {
	key := policy.D{{Key: field, Value: policy.Int32Value(1)}}
	return IndexSpec{Name: catalog.DefaultName(key), Key: key, ExpireAfterSeconds: policy.Int32Value(int32(after))}
}
