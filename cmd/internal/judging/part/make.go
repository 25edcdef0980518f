package part

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/change"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/forecast"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/report"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/policyflags"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// InOrder sorts inputs into the order of a merged part, that of their names.
func InOrder(inputs []*dump.Input) {
	slices.SortStableFunc(inputs, func(a, b *dump.Input) int { return forecast.CompareNames(nameOfInput(a), nameOfInput(b)) })
}

func nameOfInput(in *dump.Input) string { return filepath.ToSlash(in.Name()) }

// Make forecasts the groups of the inputs found. The part names the inputs that could not be
// read, and [Part.Report] reports these. The error is [forecast.ErrTooLarge].
func Make(ctx context.Context, key Key, found dump.Found, groups []policyflags.Group, o forecast.Options) (*Part, error) {
	q, err := report.QuestionOf(groups, nil, key.Now)
	if err != nil {
		return nil, err
	}
	p := &Part{Key: key}
	index := map[*dump.Collection]int{}
	for _, in := range found.Inputs {
		for i, c := range in.Collections {
			index[c] = i
			if in.IsFeed {
				p.Inputs = append(p.Inputs, c.Place())
			}
		}
		if !in.IsFeed {
			p.Inputs = append(p.Inputs, nameOfInput(in))
		}
		if in.Err != nil {
			p.Unread = append(p.Unread, Unread{Origins: []Origin{{Input: nameOfInput(in), Index: -1, File: in.Name(), Title: in.Name()}}, Err: in.Err})
		}
	}
	err = q.Each(forecast.Run(ctx, q.Jobs(), o), func(g policyflags.Group, _ []change.WhatIf, result forecast.Result) error {
		return p.addResult(g, result, index)
	})
	return p, err
}

// addResult adds the result of a group. index holds the position of each collection in
// its input.
func (p *Part) addResult(g policyflags.Group, result forecast.Result, index map[*dump.Collection]int) error {
	var origins []Origin
	for i, c := range g.Collections {
		o := Origin{Input: nameOfInput(c.Input), Index: index[c], File: g.Files()[i], Title: g.Titles[i]}
		if c.Input.IsFeed {
			o.Input = c.Place()
		}
		origins = append(origins, o)
	}
	if result.IsUnread() {
		p.Unread = append(p.Unread, Unread{origins, result.Err})
		return nil
	}
	c := Collection{Origins: origins, Joined: g.Joined, Policy: g.Policy, Digest: digestOf(g.Policy), Tally: result.Tally, Err: result.Err}
	if g.SampleOf != nil {
		c.Sample = &report.Sample{Of: *g.SampleOf}
	}
	return p.Add(c)
}

func nameOf(origins []Origin) string {
	var titles []string
	for _, o := range origins {
		titles = append(titles, o.Title)
	}
	return policyflags.NameOf(titles)
}

func filesOf(origins []Origin) (list []string) {
	for _, o := range origins {
		list = append(list, o.File)
	}
	return list
}

// A Key holds the settings that must be equal in parts that are merged.
type Key struct {
	Rules   string         `json:"rules"`  // the versions of the rules
	Policy  string         `json:"policy"` // the policies of the flags, in words and as a digest
	Now     policy.Instant `json:"nowMillis"`
	Bucket  string         `json:"bucket"` // the width of --bucket; "" without the flag
	By      string         `json:"by"`     // the field of --by; "" without the flag
	Input   string         `json:"input"`  // the kind of the documents, such as "auto"
	SkipBad bool           `json:"skipBad"`
	Check   bool           `json:"check"`
	NoIDs   bool           `json:"noIDs"`
}

// KeyOf returns the key of parts that are made with these flags and options. It returns
// an error if the policy of the flags is invalid.
func KeyOf(f *policyflags.Flags, o forecast.Options) (Key, error) {
	k := Key{
		Rules: fmt.Sprintf("mongo %d cosmos %d", mongo.RulesVersion, cosmos.RulesVersion),
		Now:   o.Now, Bucket: o.Bucket.String(), By: o.By, Input: o.Kind.String(), SkipBad: o.SkipBad, Check: o.Check, NoIDs: o.NoIDs,
	}
	if !f.Given() {
		k.Policy = strings.TrimSpace(fmt.Sprintf("as stored %s %s %s", f.Server, f.Namespace, strings.Join(f.Parameter, " ")))
		if f.CosmosMongo {
			k.Policy += " Azure Cosmos DB for MongoDB " + strings.Join(f.Capability, " ")
		}
		return k, nil
	}
	p, err := f.Compile()
	if err != nil {
		return k, err
	}
	k.Policy = p.Description + ", " + digestOf(p)
	return k, nil
}

// check returns an error that names the settings in which the keys k and l differ.
func (k Key) check(l Key) error {
	for _, pair := range []struct {
		what string
		a, b any
	}{
		{"the rules", k.Rules, l.Rules}, {"the policy", k.Policy, l.Policy}, {"--now", k.Now, l.Now}, {"--bucket", k.Bucket, l.Bucket}, {"--by", k.By, l.By},
		{"--input", k.Input, l.Input}, {"--skip-bad", k.SkipBad, l.SkipBad}, {"--check", k.Check, l.Check}, {"--no-ids", k.NoIDs, l.NoIDs},
	} {
		if pair.a != pair.b {
			return cli.Usagef("the parts have different settings: %s is %q here and %q in the parts before", pair.what, fmt.Sprint(pair.b), fmt.Sprint(pair.a))
		}
	}
	return nil
}

// digestOf returns a digest of a policy's definition and release.
func digestOf(p *reasons.Policy) string {
	options, indexes := p.Collection.Documents()
	d := policy.D{
		{Key: "about", Value: policy.StringValue(p.System + " " + p.Version() + " " + p.Description)}, // the description has the server parameters
		{Key: "options", Value: options}, {Key: "indexes", Value: indexes},
		{Key: "defaultTtl", Value: p.Container.DefaultTTL}, {Key: "ttlPropertyPath", Value: policy.StringValue(p.Container.TTLPropertyPath)},
		{Key: "indexingMode", Value: policy.StringValue(p.Container.IndexingMode)}, {Key: "capabilities", Value: policy.StringValue(strings.Join(p.CosmosCollection.Capabilities, " "))},
	}
	for _, x := range p.CosmosCollection.Indexes {
		d = append(d, policy.E{Key: "index", Value: policy.ObjectValue(policy.D{
			{Key: "name", Value: policy.StringValue(x.Name)}, {Key: "key", Value: policy.ObjectValue(x.Key)},
			{Key: "expireAfterSeconds", Value: x.ExpireAfterSeconds}, {Key: "sparse", Value: x.Sparse}, {Key: "partialFilterExpression", Value: x.PartialFilterExpression},
		})})
	}
	sum := sha256.Sum256(policy.AppendExtJSON(nil, policy.ObjectValue(d)))
	return "sha256:" + hex.EncodeToString(sum[:16])
}
