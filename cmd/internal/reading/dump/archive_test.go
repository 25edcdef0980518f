package dump

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"hash/crc64"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// bsonOf returns d as BSON.
func bsonOf(d policy.D) []byte {
	raw, err := policy.AppendBSON(nil, policy.ObjectValue(d))
	if err != nil {
		panic(err)
	}
	return raw
}

var end = []byte("\xff\xff\xff\xff")

// metadataOf returns the prelude's document about a collection.
func metadataOf(namespace, kind, text string) []byte {
	database, name, _ := strings.Cut(namespace, ".")
	return bsonOf(policy.D{
		{Key: "db", Value: policy.StringValue(database)}, {Key: "collection", Value: policy.StringValue(name)},
		{Key: "metadata", Value: policy.StringValue(text)}, {Key: "size", Value: policy.Int32Value(0)}, {Key: "type", Value: policy.StringValue(kind)},
	})
}

// preludeOf returns the beginning of an archive.
func preludeOf(release string, collections ...[]byte) []byte {
	header := bsonOf(policy.D{
		{Key: "concurrent_collections", Value: policy.Int32Value(4)}, {Key: "version", Value: policy.StringValue("0.1")},
		{Key: "server_version", Value: policy.StringValue(release)}, {Key: "tool_version", Value: policy.StringValue("100.9.4")},
	})
	return join([]byte(archiveMagic), header, join(collections...), end)
}

func headerOf(namespace string, eof bool, crc uint64) []byte {
	database, name, _ := strings.Cut(namespace, ".")
	return bsonOf(policy.D{
		{Key: "db", Value: policy.StringValue(database)}, {Key: "collection", Value: policy.StringValue(name)},
		{Key: "EOF", Value: policy.BoolValue(eof)}, {Key: "CRC", Value: policy.Int64Value(int64(crc))},
	})
}

// blockOf returns a block of documents.
func blockOf(namespace string, docs ...[]byte) []byte {
	return join(headerOf(namespace, false, 0), join(docs...), end)
}

// endOf returns the last block of a collection that held these documents.
func endOf(namespace string, docs ...[]byte) []byte {
	return join(headerOf(namespace, true, crc64.Checksum(join(docs...), crc64.MakeTable(crc64.ECMA))), end)
}

// numbers returns documents with these numbers.
func numbers(from, to int32) (docs [][]byte) {
	for n := from; n < to; n++ {
		docs = append(docs, bsonInt(n))
	}
	return docs
}

// contents reads all of an input and returns a line for each collection: the fields n of
// its documents, and the errors, in their order.
func contents(t *testing.T, in *Input) map[string]string {
	t.Helper()
	got := map[string]string{}
	add := func(c *Collection, text string) { got[c.Title()] = strings.TrimSpace(got[c.Title()] + " " + text) }
	for _, c := range in.Collections {
		add(c, "")
	}
	for s := range in.Streams(StreamOptions{Text: ExtJSON}) {
		var b Block
		for err := error(nil); err != io.EOF; {
			err = s.Next(&b)
			switch {
			case err == nil:
				for i := range b.Spans {
					doc, err := policy.ParseBSON(b.Doc(i))
					if err != nil {
						t.Fatal(err)
					}
					n, _ := doc.Field("n").AsInt64()
					add(b.Collection, fmt.Sprint(n))
				}
			case err == io.EOF:
			case b.Collection != nil:
				add(b.Collection, "failed")
			default:
				for _, c := range s.Unfinished() {
					add(c, "unfinished")
				}
				err = io.EOF
			}
		}
	}
	return got
}

func onePath(t *testing.T, name string, text []byte) *Input {
	t.Helper()
	f, err := Find([]string{onDisk(t, name, text).Path})
	if err != nil || len(f.Inputs) != 1 {
		t.Fatalf("Find = %v, %v, want one input", f, err)
	}
	return f.Inputs[0]
}

// TestArchive: blocks of several collections are interleaved, and each collection ends
// with its checksum.
func TestArchive(t *testing.T) {
	prelude := preludeOf("8.0.4-rc1",
		metadataOf("shop.logs", "collection", `{"indexes":[]}`), metadataOf("blog.posts", "", ""), metadataOf("shop.empty", "collection", "{}"),
		metadataOf("shop.weather", "timeseries", "W"), metadataOf("shop.view", "view", ""), metadataOf("admin.system.users", "", ""), metadataOf(".oplog", "", ""))
	whole := join(
		blockOf("shop.logs", numbers(0, 2)...), blockOf("blog.posts", numbers(10, 11)...), blockOf("admin.system.users", bsonInt(7)),
		blockOf("shop.logs", numbers(2, 4)...), endOf("blog.posts", numbers(10, 11)...), blockOf("shop.logs"), endOf("shop.logs", numbers(0, 4)...),
		endOf("shop.empty"), endOf("shop.view"), blockOf("shop.system.buckets.weather", bsonInt(5)), endOf("shop.system.buckets.weather", bsonInt(5)),
		endOf("admin.system.users", bsonInt(7)), blockOf(".oplog", bsonInt(8)), endOf(".oplog", bsonInt(8)))
	all := map[string]string{"shop.logs": "0 1 2 3", "blog.posts": "10", "shop.empty": "", "shop.weather": "5"}
	for name, text := range map[string][]byte{"plain": join(prelude, whole), "gzip": gzipped(t, join(prelude, whole)), "zstd": zstded(t, join(prelude, whole))} {
		in := onePath(t, "dump.archive", text)
		checkContents(t, name, contents(t, in), all)
		c := in.Collections[0]
		metadata, err := c.Metadata()
		version, place, releaseErr := c.Release()
		if string(metadata.Text) != `{"indexes":[]}` || version != "8.0.4-rc1" || place != in.Path || err != nil || releaseErr != nil {
			t.Errorf("%s: metadata %q, release %s of %s, %v, %v", name, metadata.Text, version, place, err, releaseErr)
		}
		if w := in.Collections[3]; w.Namespace() != "shop.system.buckets.weather" || !w.Buckets {
			t.Errorf("%s: %s, want the buckets of weather", name, w.Namespace())
		}
	}
}

func checkContents(t *testing.T, what string, got, want map[string]string) {
	t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s holds %v, want %v", what, got, want)
	}
}

// TestDamagedArchives: each collection is read to its end, or named in an
// error.
func TestDamagedArchives(t *testing.T) {
	prelude := preludeOf("8.0.4", metadataOf("a.x", "", ""), metadataOf("a.y", "", ""), metadataOf("a.z", "", ""))
	x, y, z := numbers(0, 2), numbers(10, 12), numbers(20, 22)
	done := join(blockOf("a.x", x...), endOf("a.x", x...))
	bad := bsonInt(11)
	bad[len(bad)-1] = 1 // no terminator, but the length leads to the next document
	for _, tc := range []struct {
		name string
		body []byte
		want map[string]string
	}{
		{"cut between blocks", join(done, blockOf("a.y", y...)), map[string]string{"a.x": "0 1", "a.y": "10 11 unfinished", "a.z": "unfinished"}},
		{"cut within a block", join(done, headerOf("a.y", false, 0), y[0]), map[string]string{"a.x": "0 1", "a.y": "10 unfinished", "a.z": "unfinished"}},
		{"cut within a document", join(done, headerOf("a.y", false, 0), y[0], y[1][:5]), map[string]string{"a.x": "0 1", "a.y": "10 unfinished", "a.z": "unfinished"}},
		{"cut within a header", join(done, headerOf("a.y", false, 0)[:20]), map[string]string{"a.x": "0 1", "a.y": "unfinished", "a.z": "unfinished"}},
		{"a wrong checksum", join(blockOf("a.x", x...), endOf("a.x", y...), endOf("a.y"), endOf("a.z")), map[string]string{"a.x": "0 1 failed", "a.y": "", "a.z": ""}},
		{"a document without its end", join(done, blockOf("a.y", y[0], bad, y[1]), endOf("a.y", y[0], bad, y[1]), blockOf("a.z", z...), endOf("a.z", z...)),
			map[string]string{"a.x": "0 1", "a.y": "10 failed 11", "a.z": "20 21"}},
		{"a length that lies", join(done, headerOf("a.y", false, 0), []byte("\xff\xff\xff\x7f"), end, endOf("a.z")), map[string]string{"a.x": "0 1", "a.y": "unfinished", "a.z": "unfinished"}},
		{"a collection that had ended", join(done, blockOf("a.x", x...), endOf("a.y"), endOf("a.z")), map[string]string{"a.x": "0 1", "a.y": "unfinished", "a.z": "unfinished"}},
		{"a collection that nobody announced", join(done, blockOf("b.x", x...)), map[string]string{"a.x": "0 1", "a.y": "unfinished", "a.z": "unfinished"}},
	} {
		checkContents(t, tc.name, contents(t, onePath(t, "dump.archive", join(prelude, tc.body))), tc.want)
	}
}

func TestDamagedPreludes(t *testing.T) {
	whole := preludeOf("8.0.4", metadataOf("a.x", "", ""))
	for name, text := range map[string][]byte{
		"cut":                 whole[:len(whole)-4],
		"cut in a document":   whole[:len(whole)-10],
		"a length that lies":  join(whole[:len(whole)-4], []byte("\xff\xff\xff\x7f")),
		"a collection twice":  preludeOf("8.0.4", metadataOf("a.x", "", ""), metadataOf("a.x", "", "")),
		"one without a name":  preludeOf("8.0.4", bsonInt(1)),
		"nothing but a magic": []byte(archiveMagic),
	} {
		if in := onePath(t, "dump.archive", text); in.Err == nil || len(in.Collections) > 0 || !strings.Contains(in.Err.Error(), in.Path) {
			t.Errorf("%s: %v, %v, want an error that names the file", name, in.Collections, in.Err)
		}
	}
}

// packed returns a tar file of the files with these names, in this order.
func packed(t *testing.T, files map[string]string, names ...string) []byte {
	t.Helper()
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for _, name := range names {
		w.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: int64(len(files[name]))})
		io.WriteString(w, files[name])
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestTar: metadata is found before and after the documents.
func TestTar(t *testing.T) {
	files := map[string]string{
		"./dump/shop/logs.bson": string(join(numbers(0, 2)...)), "./dump/shop/logs.metadata.json": "L", "./dump/prelude.json": `{"ServerVersion":"7.0.1"}`,
		"dump/shop/old.bson.gz": string(gzipped(t, bsonInt(9))), "dump/shop/system.views.bson": "x", "../../etc/passwd.bson": string(bsonInt(3)), "notes.txt": "n",
	}
	names := []string{"./dump/shop/logs.bson", "./dump/shop/logs.metadata.json", "./dump/prelude.json", "dump/shop/old.bson.gz", "dump/shop/system.views.bson", "../../etc/passwd.bson", "notes.txt"}
	turned := slices.Clone(names)
	slices.Reverse(turned)
	for name, text := range map[string][]byte{"tar": packed(t, files, names...), "turned": packed(t, files, turned...), "tgz": gzipped(t, packed(t, files, names...)), "zst": zstded(t, packed(t, files, names...))} {
		in := onePath(t, "backup.tgz", text)
		checkContents(t, name, contents(t, in), map[string]string{"shop.logs": "0 1", "shop.old": "9", "etc.passwd": "3"})
		for _, c := range in.Collections {
			metadata, _ := c.Metadata()
			version, _, _ := c.Release()
			if logs := c.Name == "logs"; (string(metadata.Text) == "L") != logs || (version == "7.0.1") != (c.Database == "shop") {
				t.Errorf("%s: %s has %q and %q", name, c.Title(), metadata.Text, version)
			}
		}
	}
}

func TestDamagedTars(t *testing.T) {
	files := map[string]string{"a/x.bson": string(bsonInt(1)), "a/y.bson": string(join(numbers(0, 100)...)), "a/z.bson": string(bsonInt(2))}
	whole := packed(t, files, "a/x.bson", "a/y.bson", "a/z.bson")
	cut := onePath(t, "cut.tar", whole[:3*512+600])
	if got := contents(t, cut); cut.Err == nil || got["a.x"] != "1" || !strings.HasSuffix(got["a.y"], "unfinished") || len(got) != 2 {
		t.Errorf("cut within y: %v, %v", got, cut.Err)
	}
	twice := onePath(t, "twice.tar", packed(t, files, "a/x.bson", "a/y.bson", "a/x.bson"))
	if c := twice.Collections; len(c) != 3 || c[2].Err == nil || c[0].Err != nil {
		t.Errorf("a file twice: %v", c)
	}
	if in := onePath(t, "none.tar", packed(t, map[string]string{"a.txt": "x"}, "a.txt")); in.Err == nil {
		t.Error("a tar file without dumps: want an error")
	}
}

// TestManyCollections: an archive or a tar file with more collections than the limit is
// an input with an error.
func TestManyCollections(t *testing.T) {
	list := make([][]byte, MaxCollections+1)
	names := make([]string, len(list))
	for i := range list {
		list[i] = metadataOf(fmt.Sprint("a.c", i), "", "")
		names[i] = fmt.Sprintf("a/c%d.bson", i)
	}
	if in := onePath(t, "most.archive", preludeOf("8.0.4", list[1:]...)); in.Err != nil || len(in.Collections) != MaxCollections {
		t.Errorf("an archive: %d collections, %v; want %d", len(in.Collections), in.Err, MaxCollections)
	}
	if in := onePath(t, "many.archive", preludeOf("8.0.4", list...)); !errors.Is(in.Err, ErrManyCollections) {
		t.Errorf("an archive of %d collections: %v, want %v", len(list), in.Err, ErrManyCollections)
	}
	if in := onePath(t, "many.tar", packed(t, nil, names...)); !errors.Is(in.Err, ErrManyCollections) {
		t.Errorf("a tar file of %d collections: %v, want %v", len(list), in.Err, ErrManyCollections)
	}
}

// TestLongTexts: the metadata in an archive or a tar file has a largest size.
func TestLongTexts(t *testing.T) {
	if testing.Short() {
		t.Skip("70 MiB of metadata are read")
	}
	var list [][]byte
	files, names := map[string]string{"a/x.bson": ""}, []string{"a/x.bson"}
	for i := range 5 {
		text := strings.Repeat("x", maxTexts/5+1)
		list = append(list, metadataOf(fmt.Sprint("a.c", i), "", text))
		names = append(names, fmt.Sprintf("a/c%d.metadata.json", i))
		files[names[i+1]] = text
	}
	for name, text := range map[string][]byte{"long.archive": preludeOf("8.0.4", list...), "long.tar": packed(t, files, names...)} {
		if in := onePath(t, name, text); !errors.Is(in.Err, errLongTexts) {
			t.Errorf("%s: %v, want %v", name, in.Err, errLongTexts)
		}
	}
	if in := onePath(t, "most.archive", preludeOf("8.0.4", list[1:]...)); in.Err != nil {
		t.Errorf("an archive with less: %v", in.Err)
	}
	if in := onePath(t, "most.tar", packed(t, files, names[:5]...)); in.Err != nil {
		t.Errorf("a tar file with less: %v", in.Err)
	}
}

// TestStandardInput: an archive is read front to back, a tar file is refused.
func TestStandardInput(t *testing.T) {
	archive := join(preludeOf("8.0.4", metadataOf("a.x", "", "")), blockOf("a.x", bsonInt(1)), endOf("a.x", bsonInt(1)))
	for _, tc := range []struct {
		name string
		text []byte
		want map[string]string
		says string
	}{
		{"an archive", archive, map[string]string{"a.x": "1"}, ""},
		{"a compressed archive", gzipped(t, archive), map[string]string{"a.x": "1"}, ""},
		{"documents", bsonInt(4), map[string]string{"standard input": "4"}, ""},
		{"a tar file", packed(t, map[string]string{"a/x.bson": "x"}, "a/x.bson"), nil, "save it to a file"},
	} {
		path := onDisk(t, "in", tc.text).Path
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		old := os.Stdin
		os.Stdin = file
		f, err := Find([]string{Stdin})
		switch in := f.Inputs[0]; {
		case err != nil:
			t.Errorf("%s: %v", tc.name, err)
		case tc.says != "":
			if in.Err == nil || !strings.Contains(in.Err.Error(), tc.says) {
				t.Errorf("%s: %v, want %q", tc.name, in.Err, tc.says)
			}
		default:
			checkContents(t, tc.name, contents(t, in), tc.want)
		}
		os.Stdin = old
		file.Close()
	}
}

// TestFindTwice: a file counts once, even if a link leads to it. A link with the name of
// another collection counts as another file.
func TestFindTwice(t *testing.T) {
	dir := fixture.Files(t, map[string]string{"dump/shop/logs.bson": "x"})
	link := func(link func(a, b string) error, from, to string) {
		os.MkdirAll(filepath.Dir(filepath.Join(dir, to)), 0o700)
		if err := link(filepath.Join(dir, from), filepath.Join(dir, to)); err != nil {
			t.Skip(err)
		}
	}
	link(os.Link, "dump/shop/logs.bson", "older/shop/logs.bson")
	link(os.Link, "dump/shop/logs.bson", "dump/shop/same.bson")
	link(os.Symlink, "dump", "dump/shop/loop")
	link(os.Symlink, "dump/shop", "other")
	link(os.Symlink, "nowhere", "dump/shop/lost.bson")
	f, err := Find([]string{dir})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, in := range f.Inputs {
		got = append(got, fmt.Sprint(strings.TrimPrefix(in.Path, dir+"/"), " ", in.Err != nil))
	}
	want := []string{"dump/shop/logs.bson false", "dump/shop/lost.bson true", "dump/shop/same.bson false"}
	notes := []string{"older/shop/logs.bson is the same file as ", "dump/shop/loop is a link to another folder here", "other is a link to another folder here"}
	if !slices.Equal(got, want) || !slices.EqualFunc(f.Notes, notes, func(note, part string) bool { return strings.Contains(note, dir+"/"+part) }) {
		t.Errorf("Find = %q, notes %q, want %q and %q", got, f.Notes, want, notes)
	}
}

// TestUnreadable: a file that cannot be opened is an error of its collection.
func TestUnreadable(t *testing.T) {
	in := NewInput(File{Path: filepath.Join(t.TempDir(), "gone.bson")})
	for s := range in.Streams(StreamOptions{}) {
		if err := s.Next(&Block{}); !errors.Is(err, os.ErrNotExist) || len(s.Unfinished()) != 1 {
			t.Errorf("Next = %v, %v unfinished", err, s.Unfinished())
		}
	}
}
