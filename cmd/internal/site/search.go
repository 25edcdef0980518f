package site

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// An entry is what the search knows of a page: its address, its title and
// what it says.
type entry [3]string

// addSearch writes what the script searches: a file that a page loads by
// itself, because files that are opened from a disk may not fetch others.
func (b *builder) addSearch() error {
	var all []entry
	for _, e := range b.book.Engines {
		for _, t := range e.Topics {
			for _, p := range t.Pages {
				all = append(all, entry{ruleFile(p), p.ID, p.Statement})
			}
		}
	}
	for _, file := range slices.Sorted(maps.Keys(b.guides)) {
		all = append(all, entry{file, b.guides[file].Title, b.guides[file].Description})
	}
	text, err := json.Marshal(all)
	b.site["search-index.js"] = []byte("window.ttlIndex=" + strings.ReplaceAll(string(text), "},", "},\n") + ";\n")
	return err
}
