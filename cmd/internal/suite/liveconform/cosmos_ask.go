package liveconform

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/base/jsontext"
)

// A container is in the database of a run. Its status is the service's answer to its
// creation.
type container struct {
	name   string
	status int
}

// containerFor returns the container with these settings.
func (a *Account) containerFor(settings []byte) container {
	c, ok := a.standing[string(settings)]
	if !ok {
		c.name = a.nextName()
		c.status = a.settled(a.create(c.name, settings))
		a.standing[string(settings)] = c
	}
	return c
}

// settled ends the run unless the status is a success or a refusal of the request. It
// returns the status.
func (a *Account) settled(status int, err error) int {
	if !isDone(status) && !isRefused(status) {
		a.fail(orStatus(err, status))
	}
	return status
}

// create makes a container with any settings.
func (a *Account) create(name string, settings []byte) (int, error) {
	return exchange(a.ctx, withSettings(name, settings), func(ctx context.Context) error {
		_, err := a.database.CreateContainer(ctx, azcosmos.ContainerProperties{ID: name}, nil)
		return err
	})
}

// at returns the client of a container, nil for an empty name.
func (a *Account) at(container string) *azcosmos.ContainerClient {
	client, _ := a.database.NewContainer(container)
	return client
}

// change replaces the settings of a container.
func (a *Account) change(name string, settings []byte) (int, error) {
	return exchange(a.ctx, withSettings(name, settings), func(ctx context.Context) error {
		_, err := a.at(name).Replace(ctx, azcosmos.ContainerProperties{ID: name}, nil)
		return err
	})
}

// withSettings returns the body that describes a container: items are partitioned by
// their identifiers.
func withSettings(name string, settings []byte) []byte {
	body := fmt.Appendf(nil, `{"id":%q,"partitionKey":{"paths":["/id"],"kind":"Hash","version":2}`, name)
	for _, m := range membersOf(settings) {
		body = m.appendTo(append(body, ','))
	}
	return append(body, '}')
}

// insert writes any item with this identifier, and returns it as the service stores it.
func (a *Account) insert(container, id string, item []byte) ([]byte, int, error) {
	body := fmt.Appendf(nil, `{"id":%q`, id)
	for _, m := range membersOf(item) {
		if m.name != "id" && m.name != "_ts" { // id is written already, and the service sets _ts
			body = m.appendTo(append(body, ','))
		}
	}
	var stored []byte
	status, err := exchange(a.ctx, nil, func(ctx context.Context) error {
		reply, err := a.at(container).CreateItem(ctx, azcosmos.NewPartitionKeyString(id), append(body, '}'), &azcosmos.ItemOptions{EnableContentResponseOnWrite: true})
		stored = reply.Value
		return err
	})
	return stored, status, err
}

// read returns an item as the service stores it.
func (a *Account) read(container, id string) (item []byte, status int, err error) {
	status, err = exchange(a.ctx, nil, func(ctx context.Context) error {
		reply, err := a.at(container).ReadItem(ctx, azcosmos.NewPartitionKeyString(id), id, nil)
		item = reply.Value
		return err
	})
	return item, status, err
}

// isLeft reports whether an item can be read.
func (a *Account) isLeft(container, id string) bool {
	_, status, err := a.read(container, id)
	if !isDone(status) && status != http.StatusNotFound {
		a.fail(orStatus(err, status))
	}
	return isDone(status)
}

// A member is a member of a JSON object. Its name may occur again in the object.
type member struct {
	name         string
	quoted, text []byte // name and value as spelled
}

func (m member) appendTo(b []byte) []byte {
	return append(fmt.Appendf(b, `"%s":`, m.quoted), m.text...)
}

// membersOf returns the members of an object in order. Objects in questions are
// well-formed.
func membersOf(object []byte) (all []member) {
	for c := jsontext.CursorOf(object); c.Next(); {
		all = append(all, member{jsontext.Text(c.Name()), c.Name(), c.Value()})
	}
	return all
}

// accepted turns the status of a changing request into an answer.
func accepted(status int) conformance.Answer {
	switch {
	case isDone(status):
		return conformance.Result(struct{}{})
	case isRefused(status):
		return conformance.Refused(conformance.Refusal{Status: status})
	}
	return conformance.Answer{} // the run has failed
}

func refuses(what string, status int) conformance.Answer {
	return conformance.Unknown(fmt.Sprintf("the service refuses %s: status %d", what, status))
}

// askContainer asks whether the service accepts settings of a container.
func (a *Account) askContainer(q conformance.Question) conformance.Answer {
	in, err := q.Input()
	if err != nil {
		return conformance.Fault(err.Error())
	}
	name := a.nextName()
	if in.Previous == nil {
		status := a.settled(a.create(name, in.Container.Bytes()))
		return a.taken(name, status, status, in.Container.Bytes())
	}
	before := a.settled(a.create(name, in.Previous.Bytes()))
	if isRefused(before) {
		return refuses("the settings before", before)
	}
	status := a.settled(a.change(name, in.Container.Bytes()))
	return a.taken(name, before, status, in.Container.Bytes())
}

// taken returns the service's answer to a container's settings, and drops the container if
// it was created.
func (a *Account) taken(name string, made, status int, settings []byte) conformance.Answer {
	answer := accepted(status)
	if isDone(status) {
		answer = a.asStored(name, settings)
	}
	a.drop(name, made)
	return answer
}

// asStored returns the answer that the settings are accepted, with a warning if the
// service stores another indexing mode.
func (a *Account) asStored(name string, settings []byte) conformance.Answer {
	var given struct {
		IndexingPolicy struct{ IndexingMode string }
	}
	if json.Unmarshal(settings, &given) != nil {
		return accepted(http.StatusOK)
	}
	var stored string
	status, err := exchange(a.ctx, nil, func(ctx context.Context) error {
		reply, err := a.at(name).Read(ctx, nil)
		if p := reply.ContainerProperties; p != nil && p.IndexingPolicy != nil {
			stored = string(p.IndexingPolicy.IndexingMode)
		}
		return err
	})
	if !isDone(a.settled(status, err)) {
		return conformance.Answer{}
	}
	if wanted := given.IndexingPolicy.IndexingMode; wanted != "" && stored != "" && !strings.EqualFold(stored, wanted) {
		return conformance.Result(map[string][]string{"warnings": {fmt.Sprintf("indexing mode %s is stored as %s", wanted, stored)}})
	}
	return accepted(status)
}

// drop drops a container if it was made.
func (a *Account) drop(name string, made int) {
	if !isDone(made) {
		return
	}
	a.settled(exchange(a.ctx, nil, func(ctx context.Context) error {
		_, err := a.at(name).Delete(ctx, nil)
		return err
	}))
}

// askItem asks whether the service accepts an item.
func (a *Account) askItem(q conformance.Question) conformance.Answer {
	in, err := q.Input()
	if err != nil {
		return conformance.Fault(err.Error())
	}
	c := a.containerFor(in.Container.Bytes())
	if !isDone(c.status) {
		return refuses("the settings of the container", c.status)
	}
	_, status, err := a.insert(c.name, a.nextName(), in.Item.Bytes())
	return accepted(a.settled(status, err))
}

// A trial answers a question about one item with two copies of the item. When the copies
// are read, a time to live of the first copy has ended if, and only if, it has ended in
// the question. All times to live of the second copy have ended.
type trial struct {
	*ask
	copies [2]copiedItem
}

const (
	asAsked = iota
	allOver
)

type copiedItem struct {
	container, id string
	settings      []byte
	item          []byte
	isLeft        bool
}

// The times of a trial. The times to live shortest and short, in seconds, end before the
// items are read. The seconds named longer are added to times to live that must not end.
// The time of waiting is settling.
const (
	shortest = 2
	short    = 3
	longer   = 24 * 60 * 60
	settling = 12 * time.Second
)

// decide answers questions about items. It writes all items, and reads them once the
// short times to live have ended.
func (a *Account) decide(trials []*trial) {
	if a.control(); a.failed != nil {
		return
	}
	for _, t := range trials {
		if t.answer = t.plan(); t.answer.Kind == conformance.KindNone && a.failed == nil {
			t.answer = a.write(t)
		}
	}
	a.sleep(a.settling + a.hidden)
	for _, t := range trials {
		if t.answer.Kind == conformance.KindNone && a.failed == nil {
			t.answer = a.outcome(t)
		}
	}
}

// control waits for the control item to expire, and records the time for which the item
// could be read after its deadline.
func (a *Account) control() {
	c := a.containerFor([]byte(`{"defaultTtl":-1}`))
	id := a.nextName()
	_, status, err := a.insert(c.name, id, fmt.Appendf(nil, `{"ttl":%d}`, shortest))
	written := time.Now()
	if !isDone(status) {
		a.fail(orStatus(err, status))
	}
	for a.failed == nil && a.isLeft(c.name, id) {
		if time.Since(written) > a.timeout {
			a.fail(ErrNeverExpired)
		}
		a.sleep(250 * time.Millisecond)
	}
	a.hidden = max(0, time.Since(written)-shortest*time.Second)
}

// write writes the copies. It returns an answer only if the service refuses
// them.
func (a *Account) write(t *trial) conformance.Answer {
	for i := range t.copies {
		copied := &t.copies[i]
		c := a.containerFor(copied.settings)
		if isRefused(c.status) {
			return refuses("the settings of the container", c.status)
		}
		copied.container, copied.id = c.name, a.nextName()
		_, status, err := a.insert(c.name, copied.id, copied.item)
		if isRefused(a.settled(status, err)) {
			return refuses("the item", status)
		}
	}
	return conformance.Answer{}
}

// outcome reads the copies, and returns the answer that they show.
func (a *Account) outcome(t *trial) conformance.Answer {
	for i := range t.copies {
		t.copies[i].isLeft = a.isLeft(t.copies[i].container, t.copies[i].id)
	}
	switch {
	case a.failed != nil:
		return conformance.Answer{}
	case !t.copies[asAsked].isLeft:
		return decided("expired")
	case !t.copies[allOver].isLeft:
		return decided("pending")
	}
	return decided("never")
}

// plan makes the copies. It returns an answer only if the question cannot be asked.
func (t *trial) plan() conformance.Answer {
	in, err := t.Input()
	if err != nil {
		return conformance.Fault(err.Error())
	}
	settings, item := membersOf(in.Container.Bytes()), membersOf(in.Item.Bytes())
	written, err := strconv.ParseInt(string(valueIn(item, "_ts")), 10, 64)
	switch {
	case err != nil:
		return conformance.Unknown("the service itself writes _ts, as whole seconds")
	case valueIn(settings, "ttlPropertyPath") != nil:
		return conformance.Unknown("a run does not ask about ttlPropertyPath, which is a preview")
	case written > math.MaxInt64/2000:
		return conformance.Unknown("the service itself writes _ts, so a run cannot ask about a write in the far future")
	}
	l := lifetimes{age: int64(in.Now) - written*1000}
	for _, m := range append(settings, item...) {
		if err := l.add(m); err != nil {
			return conformance.Unknown(err.Error())
		}
	}
	if l.isNear() {
		return conformance.OnBoundary("its deadline is a few seconds from the instant that is asked about")
	}
	for i := range t.copies {
		t.copies[i] = copiedItem{settings: l.replaced(settings, "defaultTtl", i), item: l.replaced(item, "ttl", i)}
	}
	if !t.isShown(written) {
		return conformance.Unknown("the answer depends on the calendar, and not only on how long ago something was")
	}
	return conformance.Answer{}
}

// isShown reports whether, by this library's decisions, the copies show the answer. The
// library is used for nothing else in the answer.
func (t *trial) isShown(written int64) bool {
	asked := predict(t.Question)
	want := [2]string{asked.state, asked.state}
	if asked.state == "pending" {
		want[allOver] = "expired"
	}
	for i, c := range t.copies {
		q := t.Question
		q.In = fmt.Appendf(nil, `{"now":{"$date":{"$numberLong":"%d"}},"container":%s,"item":%s}`, written*1000+settling.Milliseconds(), c.settings, c.item)
		if f := predict(q); !f.known || f.state != want[i] {
			return false
		}
	}
	return true
}

// lifetimes are the times to live of a question, in seconds.
type lifetimes struct {
	age int64 // the age of the item, in milliseconds
	all []int64
}

// add records the time to live of a member. It does not decide which time to live counts.
func (l *lifetimes) add(m member) error {
	if m.name != "defaultTtl" && m.name != "ttl" || !strings.ContainsAny(string(m.text[:1]), "-0123456789") {
		return nil
	}
	n, err := strconv.ParseInt(string(m.text), 10, 64)
	if err != nil {
		return fmt.Errorf("%s %s is not a plain whole number, so the run cannot shorten this time to live", m.name, m.text)
	}
	if n > 0 && n <= math.MaxInt32 {
		l.all = append(l.all, n)
	}
	return nil
}

// isNear reports whether a deadline is nearer to the question's instant than the
// time that writing and reading take.
func (l *lifetimes) isNear() bool {
	return slices.ContainsFunc(l.all, func(n int64) bool { d := n*1000 - l.age; return -5000 < d && d < 5000 })
}

// replaced returns an object with another time to live in the named member. The new time
// is longer than the old time, by a day at most, if copied is asAsked and the old time is
// not over in the question. Otherwise the new time is a few seconds. The order of the
// times to live stays the same.
func (l *lifetimes) replaced(object []member, name string, copied int) []byte {
	b := []byte{'{'}
	for i, m := range object {
		if i > 0 {
			b = append(b, ',')
		}
		if n, err := strconv.ParseInt(string(m.text), 10, 64); m.name == name && err == nil && n > 0 && n <= math.MaxInt32 {
			m.text = strconv.AppendInt(nil, l.length(n, copied), 10)
		}
		b = m.appendTo(b)
	}
	return append(b, '}')
}

func (l *lifetimes) length(n int64, copied int) int64 {
	switch {
	case copied == asAsked && n*1000 > l.age:
		return min(n+longer, max(n, math.MaxInt32))
	case n == slices.Min(l.all):
		return shortest
	}
	return short
}

// valueIn returns the JSON text of the last member with a name; nil if there is none.
func valueIn(object []member, name string) (text []byte) {
	for _, m := range object {
		if m.name == name {
			text = m.text
		}
	}
	return text
}
