package site

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"mime"
	"net"
	"net/http"
	"path"
	"strings"
	"sync"
	"time"
)

// Server returns a server of the site, with limits of time and size. Unless remote is
// true, it serves only requests to a name of this machine. It answers 421 to a request to
// any other name, because a page elsewhere can make its own name lead to this machine
// (DNS rebinding).
func (s Site) Server(remote bool) *http.Server {
	handler := s.handler()
	if !remote {
		handler = localOnly(handler)
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

// headers are sent with every answer.
var headers = map[string]string{
	"Cross-Origin-Opener-Policy":   "same-origin",
	"Cross-Origin-Resource-Policy": "same-origin",
	"Referrer-Policy":              "no-referrer",
	"X-Content-Type-Options":       "nosniff",
}

// frame is the page of the playground that others may show in a frame of theirs.
const frame = "playground/embed.html"

// policyOf returns the content security policy of a file. Pages load only files of the
// site, and cannot be framed, except the page for frames. The playground also compiles its
// program.
func policyOf(name string) string {
	scripts, ancestors := "'self'", "'none'"
	if strings.HasPrefix(name, "playground/") {
		scripts = "'self' 'wasm-unsafe-eval'"
	}
	if name == frame {
		ancestors = "*"
	}
	return "default-src 'none'; script-src " + scripts + "; style-src 'self'; img-src 'self' data:; connect-src 'self'" +
		"; base-uri 'none'; form-action 'self'; frame-ancestors " + ancestors
}

// A server answers GET and HEAD with the files of a site.
type server map[string]*served

// A served is a file in the form in which it is sent.
type served struct {
	content []byte
	kind    string // the content type
	// hash changes with the content.
	hash func() string
	// packed is the compressed content, nil if compression does not make the content
	// smaller.
	packed func() []byte
}

// handler returns the handler that answers with the files. Each file is hashed and
// compressed once, at the first request for it, so that a server starts without delay.
func (s Site) handler() http.Handler {
	files := server{}
	for name, content := range s {
		files[name] = &served{
			content: content,
			kind:    cmp.Or(contentTypes[path.Ext(name)], mime.TypeByExtension(path.Ext(name)), "application/octet-stream"),
			hash:    sync.OnceValue(func() string { return hash(content) }),
			packed:  sync.OnceValue(func() []byte { return pack(name, content) }),
		}
	}
	return files
}

// pack compresses the content of a file, unless its form is compressed already.
func pack(name string, content []byte) []byte {
	if ext := path.Ext(name); ext == ".gz" || ext == ".br" || ext == ".png" {
		return nil
	}
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression)
	_, _ = w.Write(content)
	if _ = w.Close(); b.Len() >= len(content) {
		return nil
	}
	return b.Bytes()
}

// ServeHTTP answers with a file. For a folder it answers with the folder's index.html.
func (s server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(path.Clean("/"+r.URL.Path), "/")
	if index := path.Join(name, "index.html"); s[name] == nil && s[index] != nil {
		name = index
	}
	h := w.Header()
	for field, value := range headers {
		h.Set(field, value)
	}
	h.Set("Content-Security-Policy", policyOf(name))
	if name != frame {
		h.Set("X-Frame-Options", "DENY")
	}
	file := s[name]
	switch {
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		h.Set("Allow", "GET, HEAD")
		http.Error(w, "the reference can be read, and nothing else", http.StatusMethodNotAllowed)
	case file == nil:
		s.notFound(w, r)
	case path.Base(name) == "index.html" && !strings.HasSuffix(r.URL.Path, "/") && path.Base(r.URL.Path) != "index.html":
		// The links of the page are relative to the folder.
		http.Redirect(w, r, "/"+path.Dir(name)+"/", http.StatusMovedPermanently)
	default:
		file.serve(w, r)
	}
}

// notFound answers with the page for missing files, if the site has it.
func (s server) notFound(w http.ResponseWriter, r *http.Request) {
	page := s[notFound]
	if page == nil {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", page.kind)
	w.Header().Set("Cache-Control", "no-cache")
	w.WriteHeader(http.StatusNotFound)
	_, _ = w.Write(page.content)
}

// serve sends a file, compressed if the browser reads gzip. The address of a style or
// script names its hash, so that a browser may keep it; for all other files the browser
// has to ask whether they changed.
func (f *served) serve(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", f.kind)
	h.Set("Cache-Control", "no-cache")
	if r.URL.Query().Get("v") == f.hash() {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	content, tag := f.content, f.hash()
	if packed := f.packed(); packed != nil {
		h.Set("Vary", "Accept-Encoding")
		if readsGzip(r.Header.Get("Accept-Encoding")) {
			h.Set("Content-Encoding", "gzip")
			content, tag = packed, tag+"-gzip"
		}
	}
	h.Set("Etag", `"`+tag+`"`)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
}

// readsGzip reports whether a browser reads gzip, given the encodings that it accepts. An
// entry for gzip takes precedence over the entry "*", which stands for all other
// encodings.
func readsGzip(accepts string) (reads bool) {
	for one := range strings.SplitSeq(accepts, ",") {
		name, quality, _ := strings.Cut(strings.ToLower(strings.ReplaceAll(one, " ", "")), ";q=")
		isAccepted := strings.Trim(quality, "0.") != "" || quality == ""
		switch name {
		case "gzip":
			return isAccepted
		case "*":
			reads = isAccepted
		}
	}
	return reads
}

// contentTypes are the types of files by their endings. The list is here, because the
// types of the operating system differ between machines.
var contentTypes = map[string]string{
	".css":  "text/css; charset=utf-8",
	".gz":   "application/gzip",
	".html": "text/html; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".json": "application/json",
	".png":  "image/png",
	".svg":  "image/svg+xml",
	".txt":  "text/plain; charset=utf-8",
	".wasm": "application/wasm",
	".xml":  "application/xml",
}
