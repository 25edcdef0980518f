package rulebook

import "slices"

// shown is the number of entries of a long list on the page of a rule. The rest has a page
// of its own, so that each page can be read on a phone.
const shown = 10

// A List is divided between the two pages of a rule.
type List[T any] []T

// First is the part on the page of the rule.
func (l List[T]) First() List[T] { return l[:min(shown, len(l))] }

// Rest is the part on the second page.
func (l List[T]) Rest() List[T] { return l[min(shown, len(l)):] }

// HasRest reports whether p has a second page.
func (p *Page) HasRest() bool { return max(len(p.Cases), len(p.Also), len(p.Steps)) > shown }

// OnRest reports whether c stands on the second page of its rule.
func (c *Case) OnRest() bool { return slices.Contains(c.Home.Cases.Rest(), c) }

// RestPath is the second page of p in docs/rules.
func (p *Page) RestPath() string { return p.Engine.Slug + "/" + p.RestSlug() + ".md" }

// RestSlug names the second page of p.
func (p *Page) RestSlug() string { return p.Slug + "-vectors" }
