package cosmos

import (
	"errors"
	"math/big"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/policy"
	"pgregory.net/rapid"
)

// The model reads JSON numbers as exact fractions, and checks whether a number
// is in the documented set as it is, truncated, or rounded away from zero. It
// shares nothing with the code.

// isInSet reports whether n is a ttl that the service takes.
func isInSet(n *big.Int) bool {
	return n.Cmp(big.NewInt(-1)) == 0 || n.Sign() > 0 && n.Cmp(big.NewInt(2147483647)) <= 0
}

// modelTTL returns the outcome for a ttl with this text: "ok", "400" or
// "unspecified".
func modelTTL(text string) string {
	exact, isNumber := new(big.Rat).SetString(text)
	switch {
	case text == "":
		return "ok"
	case text == "null":
		return "400"
	case !isNumber:
		return "unspecified"
	}
	down := new(big.Int).Quo(exact.Num(), exact.Denom()) // towards zero
	up := new(big.Int).Add(down, big.NewInt(int64(exact.Sign())))
	if exact.IsInt() {
		up = down
	}
	switch isWritten := !strings.ContainsAny(text, ".e") && text != "-0"; {
	case !isInSet(down) && !isInSet(up):
		return "400"
	case isWritten:
		return "ok"
	}
	return "unspecified"
}

// verdict returns the model's name for an error.
func verdict(t *rapid.T, err error) string {
	var refused *SpecError
	switch {
	case err == nil:
		return "ok"
	case errors.Is(err, policy.ErrUnspecified):
		return "unspecified"
	case errors.As(err, &refused) && refused.Status == badRequest:
		return "400"
	}
	t.Fatalf("%v has no status and is not unspecified", err)
	return ""
}

func TestModelValidateItem(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ttl, setting := ttls.Draw(t, "ttl"), rapid.SampledFrom([]string{"", "null", "-1", "1", "2147483647"}).Draw(t, "defaultTtl")
		container, err := ParseContainerSpec([]byte(`{"id":"c"` + member("defaultTtl", setting) + `}`))
		if err != nil {
			t.Fatal(err)
		}
		item, err := policy.ParseJSON([]byte(`{"id":"i"` + member("ttl", ttl) + `}`))
		if err != nil {
			t.Fatal(err)
		}
		want := modelTTL(ttl)
		if isOff := setting == "" || setting == "null"; isOff && want != "ok" {
			want = "unspecified"
		}
		if got := verdict(t, ValidateItem(container, &item)); got != want {
			t.Fatalf("ttl %s under defaultTtl %s: %s, want %s", ttl, setting, got, want)
		}
	})
}

// worse returns the outcome of two settings together.
func worse(a, b string) string {
	rank := map[string]int{"ok": 0, "unspecified": 1, "400": 2}
	if rank[a] > rank[b] {
		return a
	}
	return b
}

// modelContainer returns the service's reply to settings with an indexing mode, or
// with the previous one if they have none.
func modelContainer(ttl, mode, before, path string) string {
	want := modelTTL(ttl)
	switch {
	case ttl == "":
	case strings.EqualFold(mode, "none"):
		want = worse(want, "400")
	case mode == "" && before == "none":
		want = worse(want, "unspecified")
	}
	if ttl == "" && path != "" {
		want = worse(want, "400")
	}
	if path == "at" {
		want = worse(want, "unspecified")
	}
	return want
}

func TestModelValidateContainer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ttl := ttls.Draw(t, "defaultTtl")
		mode := rapid.SampledFrom([]string{"", "consistent", "None", "none", "lazy"}).Draw(t, "mode")
		before := rapid.SampledFrom([]string{"new", "", "consistent", "none"}).Draw(t, "mode before")
		path := rapid.SampledFrom([]string{"", "/at", "/_ts", "at"}).Draw(t, "path")
		text := `{"id":"c"` + member("defaultTtl", ttl)
		if mode != "" {
			text += `,"indexingPolicy":{"indexingMode":"` + mode + `"}`
		}
		if path != "" {
			text += `,"ttlPropertyPath":"` + path + `"`
		}
		settings, err := ParseContainerSpec([]byte(text + "}"))
		if err != nil {
			t.Fatal(err)
		}
		previous := (*ContainerSpec)(nil)
		if before != "new" {
			previous = &ContainerSpec{IndexingMode: before}
		}
		_, warnings, err := ValidateContainer(settings, previous)
		got, want := verdict(t, err), modelContainer(ttl, mode, before, path)
		if got != want || (len(warnings) > 0) != (got == "ok" && mode == "lazy") {
			t.Fatalf("%s} after %s: %s with %v, want %s", text, before, got, warnings, want)
		}
		if _, err := CompileContainer(settings); got == "ok" && err != nil {
			t.Fatalf("%s} is taken and does not compile: %v", text, err)
		}
	})
}
