package gates

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"iter"
	"maps"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A refusal calls a compiler with an input that it refuses.
type refusal func() (evaluator any, err error)

// of returns f as a refusal.
func of[T any](f func() (T, error)) refusal {
	return func() (any, error) { return f() }
}

// refusals returns, for every compiler, a call with an invalid input for each reason to
// refuse.
func refusals(t *testing.T) map[string][]refusal {
	t.Helper()
	newest, oldest := fixture.Profile(t, fixture.Latest), fixture.Profile(t, "2.6.0")
	badFilter := policy.D{{Key: "a", Value: policy.ObjectValue(policy.D{{Key: "$ne", Value: policy.Int32Value(1)}})}}
	partial := ttlIndex()
	partial.PartialFilterExpression = policy.ObjectValue(badFilter)
	own := mongo.CollectionSpec{Clustered: true, ExpireAfterSeconds: policy.Int32Value(1)}
	listed := ttlIndex()
	listed.Clustered = true
	noTime := mongo.CollectionSpec{TimeSeries: policy.ObjectValue(policy.D{})}
	series := mongo.CollectionSpec{TimeSeries: policy.ObjectValue(policy.D{
		{Key: "timeField", Value: policy.StringValue("t")}, {Key: "metaField", Value: policy.StringValue("a")}})}
	nowhere := mongo.CollectionSpec{Namespace: "logs", Indexes: []mongo.IndexSpec{ttlIndex()}}
	seriesPartial := series
	seriesPartial.Indexes = []mongo.IndexSpec{partial}
	return map[string][]refusal{
		"mongo.CompileCollection": {
			of(func() (*mongo.Collection, error) {
				return mongo.CompileCollection(mongo.CollectionSpec{Indexes: []mongo.IndexSpec{ttlIndex(), partial}}, newest)
			}),
			of(func() (*mongo.Collection, error) { return mongo.CompileCollection(own, oldest) }),
			of(func() (*mongo.Collection, error) {
				return mongo.CompileCollection(mongo.CollectionSpec{Indexes: []mongo.IndexSpec{listed}}, oldest)
			}),
			of(func() (*mongo.Collection, error) { return mongo.CompileCollection(nowhere, newest) }),
			of(func() (*mongo.Collection, error) { return mongo.CompileCollection(series, oldest) }),
			of(func() (*mongo.Collection, error) { return mongo.CompileCollection(noTime, newest) }),
			of(func() (*mongo.Collection, error) { return mongo.CompileCollection(seriesPartial, newest) }),
			of(func() (*mongo.Collection, error) {
				return mongo.CompileCollection(mongo.CollectionSpec{Indexes: slices.Repeat([]mongo.IndexSpec{ttlIndex()}, 257)}, newest)
			}),
		},
		"cosmos.CompileContainer": {
			of(func() (*cosmos.Container, error) {
				return cosmos.CompileContainer(cosmos.ContainerSpec{DefaultTTL: policy.Int32Value(1), TTLPropertyPath: "createdAt"})
			}),
		},
		"cosmos.CompileCollection": {
			of(func() (*cosmos.Collection, error) {
				return cosmos.CompileCollection(cosmos.CollectionSpec{ServerVersion: "newest", Indexes: []cosmos.IndexSpec{timestampIndex()}})
			}),
			of(func() (*cosmos.Collection, error) {
				return cosmos.CompileCollection(cosmos.CollectionSpec{Indexes: []cosmos.IndexSpec{timestampIndex(), {}}})
			}),
		},
	}
}

func ttlIndex() mongo.IndexSpec {
	return mongo.IndexSpec{Key: policy.D{{Key: "t", Value: policy.Int32Value(1)}}, ExpireAfterSeconds: policy.Int32Value(1)}
}

func timestampIndex() cosmos.IndexSpec {
	return cosmos.IndexSpec{Key: policy.D{{Key: "_ts", Value: policy.Int32Value(1)}}, ExpireAfterSeconds: policy.Int32Value(1)}
}

// TestNoEvaluatorBesideAnError: a caller that ignores the error must not get a policy that
// lacks its filter, or that counts from another property.
func TestNoEvaluatorBesideAnError(t *testing.T) {
	for name, all := range refusals(t) {
		for i, refused := range all {
			evaluator, err := refused()
			if err == nil {
				t.Errorf("%s, refusal %d: no error", name, i)
			}
			if !reflect.ValueOf(evaluator).IsZero() {
				t.Errorf("%s, refusal %d: %#v beside the error %v, want none", name, i, evaluator, err)
			}
		}
	}
}

// TestRefusalsAreOfEveryCompiler: refusals has every compiler of the sources. An exported
// function is a compiler if it returns an error beside something that decides.
func TestRefusalsAreOfEveryCompiler(t *testing.T) {
	want := slices.Sorted(maps.Keys(refusals(t)))
	var got []string
	for dir := range allowed {
		files := parsed(t, token.NewFileSet(), dir)
		deciding := deciders(files)
		for _, f := range functions(files) {
			results := f.Type.Results
			if f.Recv == nil && f.Name.IsExported() && results != nil && len(results.List) == 2 &&
				deciding[baseName(results.List[0].Type)] && baseName(results.List[1].Type) == "error" {
				got = append(got, dir+"."+f.Name.Name)
			}
		}
	}
	slices.Sort(got)
	if diff := cmp.Diff(got, want); diff != "" {
		t.Errorf("the compilers (-), and those in refusals (+):\n%s", diff)
	}
}

// parsed returns the files of a package except its tests.
func parsed(t *testing.T, fset *token.FileSet, dir string) (files []*ast.File) {
	t.Helper()
	for _, name := range goFiles(t, dir) {
		file, err := parser.ParseFile(fset, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	return files
}

func functions(files []*ast.File) (all []*ast.FuncDecl) {
	for _, file := range files {
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok {
				all = append(all, f)
			}
		}
	}
	return all
}

// deciders returns the types that have a method which decides.
func deciders(files []*ast.File) map[string]bool {
	deciding := map[string]bool{}
	for _, f := range functions(files) {
		if f.Recv != nil && slices.Contains([]string{"Decide", "DecideAt", "DecideItem", "Match", "Contains"}, f.Name.Name) {
			deciding[baseName(f.Recv.List[0].Type)] = true
		}
	}
	return deciding
}

// baseName returns the name of a type or of the type to which it points.
func baseName(e ast.Expr) string {
	if star, ok := e.(*ast.StarExpr); ok {
		e = star.X
	}
	if name, ok := e.(*ast.Ident); ok {
		return name.Name
	}
	return ""
}

// TestDecisionsOfEveryRuleAreRead: the rule of a stored decision is found in the catalogues.
func TestDecisionsOfEveryRuleAreRead(t *testing.T) {
	for _, rules := range []iter.Seq[policy.Rule]{mongo.Rules(), cosmos.Rules()} {
		for r := range rules {
			d := policy.DecisionOf(policy.Expired, 0, r)
			text, err := json.Marshal(d)
			if err != nil {
				t.Fatal(err)
			}
			var again policy.Decision
			if err := json.Unmarshal(text, &again); err != nil || again != d {
				t.Errorf("%s is read as %v, %v", text, again, err)
			}
		}
	}
}
