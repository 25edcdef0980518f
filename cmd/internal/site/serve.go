package site

import (
	"bytes"
	"mime"
	"net/http"
	"path"
	"strings"
	"time"
)

// ServeHTTP answers with the files of the site. A folder is its index.html. The
// files change with the program only, so that browsers are told to ask each
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
	if kind := contentType(name); kind != "" {
		h.Set("Content-Type", kind)
	}
	h.Set("Cache-Control", "no-cache")
	h.Set("X-Content-Type-Options", "nosniff")
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(content))
}

// contentType is the type of a file by its name. The types of a site are
// settled here, because those of the system differ between machines.
func contentType(name string) string {
	switch ext := path.Ext(name); ext {
	case ".html":
		return "text/html; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".wasm":
		return "application/wasm"
	case ".svg":
		return "image/svg+xml"
	case ".json":
		return "application/json"
	default:
		return mime.TypeByExtension(ext)
	}
}
