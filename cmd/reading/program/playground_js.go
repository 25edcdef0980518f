package program

import (
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/reading/policytext"
)

// A browser loads the playground over a connection that may be slow, so its build leaves
// out the parser of Go and regular expressions. This build reads all programs by their
// tokens, and programs of JavaScript and Python only with package policytext.

func (b *Builder) readGo() { b.readTokens(cLexis) }

func (b *Builder) readScript(l language) {
	if l == python {
		b.readTokens(pythonLexis)
		return
	}
	b.readTokens(scriptLexis)
}

func (b *Builder) ownerOf(p policytext.Part) (owner, database, name string) {
	name, _ = strings.CutPrefix(p.Owner, "db.")
	return p.Owner, "", name
}

func shellParts(*Builder) []policytext.Part { return nil }

func multipliesByThousand(string) bool { return false } // only the command audit uses this function
