package conform

import (
	"embed"
	"fmt"
	"path"
	"slices"
)

//go:embed kits
var kitFiles embed.FS

// A Kit is a ready adapter in one language, in one file: a program that answers
// the questions of the suite, with a place for the library under test.
type Kit struct {
	Language string   // such as "python"
	File     string   // the name that the file should have
	Build    []string // the command that compiles it; none if there is nothing to compile
	Run      []string // the command that runs it
	Text     []byte
}

var kits = []Kit{
	{Language: "go", File: "adapter.go", Build: []string{"go", "build", "-o", "adapter", "."}, Run: []string{"./adapter"}},
	{Language: "python", File: "adapter.py", Run: []string{"python3", "adapter.py"}},
	{Language: "js", File: "adapter.mjs", Run: []string{"node", "adapter.mjs"}},
	{Language: "java", File: "Adapter.java", Run: []string{"java", "Adapter.java"}},
	{Language: "rust", File: "adapter.rs", Build: []string{"rustc", "-O", "adapter.rs"}, Run: []string{"./adapter"}},
	{Language: "csharp", File: "Program.cs", Build: []string{"dotnet", "build", "-o", "out"}, Run: []string{"dotnet", "out/adapter.dll"}},
}

// KitLanguages returns the languages of the kits, in the order in which they are
// shown.
func KitLanguages() (names []string) {
	for _, k := range kits {
		names = append(names, k.Language)
	}
	return names
}

// KitFor returns the kit of one of [KitLanguages].
func KitFor(language string) (k Kit, err error) {
	i := slices.IndexFunc(kits, func(k Kit) bool { return k.Language == language })
	if i < 0 {
		return k, fmt.Errorf("there is no adapter for the language %q; want one of %v", language, KitLanguages())
	}
	k = kits[i]
	name := k.File
	if language == "go" {
		name += ".txt" // the source is not part of this module
	}
	k.Text, err = kitFiles.ReadFile(path.Join("kits", language, name))
	return k, err
}
