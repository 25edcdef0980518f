package site

import (
	"bytes"
	"cmp"
	"mime"
	"net/http"
	"path"
	"strings"
	"time"
)

// ServeHTTP answers with the files of the site. A folder is its index.html. The
// files change with the program only, so that browsers have to ask each
// time.
func (s Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(path.Clean("/"+r.URL.Path), "/")
	if index := path.Join(name, "index.html"); s[name] == nil && s[index] != nil {
		if name != "" && !strings.HasSuffix(r.URL.Path, "/") { // the links of the page are relative to the folder
			http.Redirect(w, r, path.Base(name)+"/", http.StatusMovedPermanently)
			return
		}
		name = index
	}
	content, ok := s[name]
	if !ok {
		http.NotFound(w, r)
		return
	}
	h := w.Header()
	if kind := cmp.Or(contentTypes[path.Ext(name)], mime.TypeByExtension(path.Ext(name))); kind != "" {
		h.Set("Content-Type", kind)
	}
	h.Set("Cache-Control", "no-cache")
	h.Set("X-Content-Type-Options", "nosniff")
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(content))
}

// contentTypes are the types of files by their endings. They are settled here,
// because those of the system differ between machines.
var contentTypes = map[string]string{
	".css":  "text/css; charset=utf-8",
	".html": "text/html; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".json": "application/json",
	".svg":  "image/svg+xml",
	".wasm": "application/wasm",
}
