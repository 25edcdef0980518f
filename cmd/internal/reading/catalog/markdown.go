package catalog

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/ttlpolicy/ttlpolicy/cmd/reading/program"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A codeBlock is a fenced block of code in Markdown.
type codeBlock struct {
	line int    // number of its first line of code, from 1
	ext  string // extension of files in its language; empty if the fence names no language
	text string
}

// console is the extension of the record of a shell session.
const console = ".console"

// fenceNames maps the name of a language in a fence to the extension of its files, if the
// two differ.
var fenceNames = map[string]string{
	"javascript": ".js", "typescript": ".ts", "mongosh": ".js", "mongo": ".js", "python": ".py", "golang": ".go", "kotlin": ".kt", "csharp": ".cs", "c#": ".cs",
	"ruby": ".rb", "rust": ".rs", "terraform": ".tf", "hcl": ".tf", "shell": ".sh", "shell-session": console, "powershell": ".ps1", "json5": ".json", "jsonc": ".json",
}

// extensionOf returns the extension of a file in the language that a fence names.
func extensionOf(info string) string {
	words := strings.FieldsFunc(strings.ToLower(info), func(r rune) bool { return strings.ContainsRune(" \t{}.,", r) })
	if len(words) == 0 {
		return ""
	}
	if ext, ok := fenceNames[words[0]]; ok {
		return ext
	}
	return "." + words[0]
}

// codeBlocks returns the fenced blocks of a Markdown file, nil for any other file.
func codeBlocks(name, text string) (blocks []codeBlock) {
	if !slices.Contains([]string{".md", ".markdown"}, strings.ToLower(filepath.Ext(name))) {
		return nil
	}
	fence, within := "", codeBlock{}
	var code strings.Builder
	n := 0
	for line := range strings.Lines(text) {
		n++
		trimmed := strings.TrimSpace(line)
		run := trimmed[:len(trimmed)-len(strings.TrimLeft(trimmed, trimmed[:min(1, len(trimmed))]))]
		switch isFence := len(run) >= 3 && (run[0] == '`' || run[0] == '~'); {
		case fence == "" && isFence && !strings.Contains(trimmed[len(run):], "`"):
			fence, within = run, codeBlock{line: n + 1, ext: extensionOf(trimmed[len(run):])}
		case fence != "" && isFence && run[0] == fence[0] && len(run) >= len(fence) && run == trimmed:
			within.text = code.String()
			blocks = append(blocks, within)
			fence = ""
			code.Reset()
		case fence != "":
			code.WriteString(line)
		}
	}
	if fence != "" { // the end of the file ends a block
		within.text = code.String()
		blocks = append(blocks, within)
	}
	return blocks
}

// readBlocks reads the blocks of code in a file, each one separately.
func readBlocks(file string, blocks []codeBlock) (targets []*Target, err error) {
	for _, b := range blocks {
		list, err := b.read(file)
		if err != nil {
			list = []*Target{{File: file, unread: err}}
		}
		for _, t := range list {
			t.shift(b.line - 1)
		}
		targets = append(targets, list...)
	}
	if len(targets) == 0 {
		return nil, fmt.Errorf("%s: %w", file, ErrNoMention)
	}
	return targets, nil
}

// shift adds n to the line numbers of t. A target without a line gets the first line of
// the block.
func (t *Target) shift(n int) {
	t.Line = max(t.Line, 1) + n
	for i := range t.lines {
		t.lines[i] += n
	}
	for i := range t.steps {
		t.steps[i].Line += n
	}
	if len(t.mentions) > 0 {
		for i := range t.mentions {
			t.mentions[i].Line += n
		}
		t.Line, t.unread = 0, unreadTarget(t.File, t.mentions).unread
	}
}

// read returns the targets of one block, nil if the block mentions no time to live. It
// skips blocks in languages that it cannot read, such as outputs of commands. It ignores
// mentions of a time to live in the record of a session.
func (b *codeBlock) read(file string) ([]*Target, error) {
	isOther := b.ext != "" && b.ext != console && !isJSON(b.ext) && !program.IsSource(b.ext)
	if isOther {
		return nil, nil
	}
	ext := b.ext
	if ext == console {
		ext = ".sh"
	}
	if program.IsSource(ext) || !isListing(b.text, policy.InstantOf(time.Now())) {
		targets := readProgram(file, ext, b.text, nil, nil)
		if b.ext == console {
			targets = slices.DeleteFunc(targets, func(t *Target) bool { return len(t.mentions) > 0 })
		}
		if targets != nil || program.IsSource(ext) {
			return targets, nil
		}
	}
	return readJSON(file, []byte(b.text))
}
