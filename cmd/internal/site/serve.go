package site

import (
	"bytes"
	"cmp"
	"mime"
	"net"
	"net/http"
	"path"
	"strings"
	"time"
)

// headers are sent with every answer: pages load their own files alone, nobody
// frames them, and the playground's program may be compiled and draw with styles.
var headers = map[string]string{
	"Content-Security-Policy": "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
		"connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
	"Cross-Origin-Opener-Policy":   "same-origin",
	"Cross-Origin-Resource-Policy": "same-origin",
	"Referrer-Policy":              "no-referrer",
	"X-Content-Type-Options":       "nosniff",
	"X-Frame-Options":              "DENY",
}

// Server returns a server of the site, with limits of time and size. Unless remote, it
// answers to the names of this machine alone: a page elsewhere whose name is made to
// lead here (DNS rebinding) is told 421.
func (s Site) Server(remote bool) *http.Server {
	var handler http.Handler = s
	if !remote {
		handler = localOnly(s)
	}
	return &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       10 * time.Second,
		WriteTimeout:      time.Minute,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    16 << 10,
	}
}

func localOnly(to http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !isLocal(r.Host) {
			http.Error(w, "this server is for its own machine; ask for localhost", http.StatusMisdirectedRequest)
			return
		}
		to.ServeHTTP(w, r)
	})
}

// isLocal reports whether the host of a request is a name of this machine.
func isLocal(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	return strings.EqualFold(host, "localhost") || net.ParseIP(host).IsLoopback()
}

// ServeHTTP answers GET and HEAD with the files of the site. A folder is its
// index.html. The files change with the program only, so that browsers have to ask
// each time.
func (s Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	for name, value := range headers {
		h.Set(name, value)
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		h.Set("Allow", "GET, HEAD")
		http.Error(w, "the reference can be read, and nothing else", http.StatusMethodNotAllowed)
		return
	}
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
	if kind := cmp.Or(contentTypes[path.Ext(name)], mime.TypeByExtension(path.Ext(name))); kind != "" {
		h.Set("Content-Type", kind)
	}
	h.Set("Cache-Control", "no-cache")
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
