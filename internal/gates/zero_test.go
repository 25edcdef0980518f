package gates

import (
	"go/ast"
	"go/token"
	"path"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// zeros holds pointers to the zero value of every exported type of the pure packages
// except interfaces.
var zeros = []any{
	new(policy.A), new(policy.BSON), new(policy.D), new(policy.Decision), new(policy.E),
	new(policy.Elements), new(policy.Fields), new(policy.Fingerprint), new(policy.Instant), new(policy.JSON), new(policy.Kind), new(policy.Map),
	new(policy.Rule), new(policy.Citation), new(policy.State),
	new(policy.SyntaxError), new(policy.Value),

	new(mongo.Collection),
	new(mongo.CollectionSpec),
	new(mongo.IndexSpec),
	new(mongo.Profile),
	new(mongo.SpecError), new(mongo.Version),

	new(cosmos.Collection), new(cosmos.CollectionSpec), new(cosmos.Container),
	new(cosmos.ContainerSpec), new(cosmos.IndexSpec), new(cosmos.Item),
	new(cosmos.SpecError), new(cosmos.TTL), new(cosmos.Timestamp), new(cosmos.Warning),
}

// needElements are the methods that return an element or a field by its position. A zero
// value has no elements or fields.
var needElements = []string{"policy.A.At", "policy.D.FieldAt"}

// deadly returns pointers to the arguments that would delete most documents.
func deadly() []any {
	date, one, zero := policy.DateValue(0), policy.Int32Value(1), policy.Int32Value(0)
	doc := policy.D{{Key: "t", Value: date}, {Key: "_id", Value: date}, {Key: "", Value: date}, {Key: "ttl", Value: one}, {Key: "_ts", Value: zero}}
	bson, err := policy.AppendBSON(nil, policy.ObjectValue(doc))
	if err != nil {
		panic(err) // BSON can hold this document
	}
	item := cosmos.Item{TTL: cosmos.TTLSeconds(1), TS: cosmos.TimestampSeconds(0)}
	var asked policy.Document = doc
	return []any{&asked, &bson, &item, &item.TTL, &item.TS, &[]policy.Instant{0}, &[]uint64{0}}
}

// TestZeroValues calls every method of the zero value of every exported type,
// with zero arguments and with those that would delete most. No call may panic
// or let anything expire.
func TestZeroValues(t *testing.T) {
	for _, zero := range zeros {
		v := reflect.ValueOf(zero)
		for i := range v.NumMethod() {
			name := v.Elem().Type().String() + "." + v.Type().Method(i).Name
			if slices.Contains(needElements, name) {
				continue
			}
			for _, now := range []policy.Instant{policy.MinInstant, 0, policy.MaxInstant} {
				fresh := reflect.New(v.Elem().Type()).Method(i)
				checkKeeps(t, name, call(t, name, fresh, nil, now))
				fresh = reflect.New(v.Elem().Type()).Method(i)
				checkKeeps(t, name, call(t, name, fresh, deadly(), now))
			}
		}
	}
}

// call calls a method with the given arguments where their types match, and zero values
// for its other parameters.
func call(t *testing.T, name string, method reflect.Value, arguments []any, now policy.Instant) []reflect.Value {
	t.Helper()
	defer func() {
		if r := recover(); r != nil {
			t.Errorf("the zero value's %s panics: %v", name, r)
		}
	}()
	in := make([]reflect.Value, method.Type().NumIn())
	for i := range in {
		in[i] = reflect.New(method.Type().In(i)).Elem()
		for _, a := range append(arguments, &now) {
			if reflect.TypeOf(a).Elem() == in[i].Type() {
				in[i] = reflect.ValueOf(a).Elem()
			}
		}
	}
	return method.Call(in)
}

// checkKeeps looks for an expired document in the results of a method.
func checkKeeps(t *testing.T, name string, results []reflect.Value) {
	t.Helper()
	for _, result := range results {
		switch result := result.Interface().(type) {
		case policy.Decision:
			if result.State != policy.Never {
				t.Errorf("the zero value's %s is %v by %s, want never", name, result.State, result.Rule)
			}
		case []uint64:
			if slices.Max(append(result, 0)) != 0 {
				t.Errorf("the zero value's %s is %b, want no bit", name, result)
			}
		case bool:
			if result && strings.HasSuffix(name, ".Contains") {
				t.Errorf("the zero value's %s is true", name)
			}
		}
	}
}

// TestZeroValuesAreOfEveryType: zeros has every exported type of the sources.
func TestZeroValuesAreOfEveryType(t *testing.T) {
	var got, want []string
	for _, zero := range zeros {
		got = append(got, reflect.TypeOf(zero).Elem().String())
	}
	for dir := range allowed {
		if strings.Contains("/"+dir, "/internal/") {
			continue
		}
		for _, x := range types(parsed(t, token.NewFileSet(), dir)) {
			if _, isInterface := x.Type.(*ast.InterfaceType); !isInterface && x.Name.IsExported() {
				want = append(want, path.Base(dir)+"."+x.Name.Name)
			}
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the exported types (-), and those in zeros (+):\n%s", diff)
	}
}

func types(files []*ast.File) (all []*ast.TypeSpec) {
	for _, file := range files {
		for _, d := range file.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.TYPE {
				continue
			}
			for _, s := range g.Specs {
				all = append(all, s.(*ast.TypeSpec))
			}
		}
	}
	return all
}

// TestZeroSpecs: an empty specification deletes nothing.
func TestZeroSpecs(t *testing.T) {
	newest := fixture.Profile(t, fixture.Latest)
	evaluators := map[string]definition.Decider{}
	for name, compile := range map[string]func() (definition.Decider, error){
		"mongo.IndexSpec": func() (definition.Decider, error) {
			return mongo.CompileCollection(mongo.CollectionSpec{Indexes: []mongo.IndexSpec{{}}}, newest)
		},
		"mongo.CollectionSpec":  func() (definition.Decider, error) { return mongo.CompileCollection(mongo.CollectionSpec{}, newest) },
		"cosmos.ContainerSpec":  func() (definition.Decider, error) { return cosmos.CompileContainer(cosmos.ContainerSpec{}) },
		"cosmos.CollectionSpec": func() (definition.Decider, error) { return cosmos.CompileCollection(cosmos.CollectionSpec{}) },
	} {
		e, err := compile()
		if err != nil {
			t.Errorf("the zero %s: %v", name, err)
			continue
		}
		evaluators[name] = e
	}
	for name, e := range evaluators {
		decide := reflect.ValueOf(e.Decide)
		checkKeeps(t, name+" compiled: Decide", call(t, name, decide, deadly(), policy.MaxInstant))
	}
}
