package rulebook

import "slices"

// shown is how many of a long list stand on the page of a rule. The rest stands
// on a page of its own, so that each page can be read on a phone.
const shown = 10

func first[T any](list []T) []T { return list[:min(shown, len(list))] }

func rest[T any](list []T) []T { return list[min(shown, len(list)):] }

// FirstCases and RestCases divide the vectors of p between its two pages, as
// FirstAlso and RestAlso divide those of other rules, FirstSteps and RestSteps
// the steps.
func (p *Page) FirstCases() []*Case { return first(p.Cases) }

// RestCases are the vectors that FirstCases leaves.
func (p *Page) RestCases() []*Case { return rest(p.Cases) }

// FirstAlso are the first vectors of other rules that bear on p.
func (p *Page) FirstAlso() []*Case { return first(p.Also) }

// RestAlso are those that FirstAlso leaves.
func (p *Page) RestAlso() []*Case { return rest(p.Also) }

// FirstSteps are the first steps to other rules.
func (p *Page) FirstSteps() []Step { return first(p.Steps) }

// RestSteps are those that FirstSteps leaves.
func (p *Page) RestSteps() []Step { return rest(p.Steps) }

// HasRest reports whether p has a second page.
func (p *Page) HasRest() bool { return max(len(p.Cases), len(p.Also), len(p.Steps)) > shown }

// OnRest reports whether c stands on the second page of its rule.
func (c *Case) OnRest() bool { return slices.Contains(c.Home.RestCases(), c) }

// RestPath is the second page of p in docs/rules.
func (p *Page) RestPath() string { return p.Engine.Slug + "/" + p.RestSlug() + ".md" }

// RestSlug names the second page of p.
func (p *Page) RestSlug() string { return p.Slug + "-vectors" }
