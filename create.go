package rpcfleet

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/reply"
)

// WithCreateOnce finds the result of a create if its outcome is open: see [ErrOutcomeUnknown]. The create lists similar
// objects, sends its request once, and if the outcome is open lists them again after five seconds, or an attempt's
// timeout if it is shorter, also if the context has ended. If there is one new object, it is returned as if nothing had
// happened; if there are several, the error is a [*CreateError]; if there is none, it is the error of the create. Every
// create takes the option, except of a session token.
//
// The request is not repeated, so there are never two objects. An object that existed before or differs from the
// request is never returned, nor is an endpoint with a label or tags. Any equal tag, invitation, IP, referrer, domain
// mask or JWT is a success, even an older one. Nothing distinguishes other objects of two creators: creates of a client
// take turns, but if another program creates an equal object within these seconds, and the service did not execute the
// request, that object is returned.
func WithCreateOnce() CallOption {
	return callOption{nil, func(s *callSettings) { s.once = cmp.Or(s.once, &journal{}) }}
}

// WithCreateJournal is [WithCreateOnce] for programs that may be killed: a name creates one object. The ids of the
// existing objects are saved under the name before the request is sent, and afterwards the id of the new one. A later
// create with the name returns that object, or [ErrNotFound] if it was deleted. If the outcome is still open, it looks
// for a new object first, and sends the request again only if there is none after an attempt's timeout (assumed: the
// service executes a request within that time, or never). After a kill, repeat several creates in the same order: while
// one is open, any other new object may be its result. Only the same create settles it. A name is kept, also of a
// deleted object, until the zero [Checkpoint] is saved under it.
func WithCreateJournal(store CheckpointStore, name string) CallOption {
	violation := cmp.Or(notNil("journal", store == nil), required("journal name", name))
	return callOption{violation, func(s *callSettings) { s.once = &journal{store, name} }}
}

// CheckpointStore saves checkpoints by key, such as [FileCheckpointStore] or the store of contrib/redis. Load returns
// the zero Checkpoint if there is none.
type CheckpointStore interface {
	Load(ctx context.Context, key string) (Checkpoint, error)
	Save(ctx context.Context, key string, checkpoint Checkpoint) error
}

// CreateError is the error of a create that may have created any one of several objects, since another program created
// some at the same time, or the one whose record cannot be read or saved. It matches [ErrOutcomeUnknown].
type CreateError struct {
	Operation string   // The operation's id, such as "createEndpoint".
	IDs       []string // The ids of the new objects.
}

// Error returns the ids.
func (e *CreateError) Error() string {
	return fmt.Sprintf("rpcfleet: %s: one of %s may be the new object", e.Operation, redactArg(fmt.Sprintf("%q", e.IDs)))
}

// Is matches [ErrOutcomeUnknown].
func (e *CreateError) Is(target error) bool { return target == ErrOutcomeUnknown }

const (
	lookAfter = 5 * time.Second  // The time that a request may take after its response was lost.
	lookLimit = 30 * time.Second // The time limit of the looks, and the limit of a request that has no timeout.
)

// creation describes how the result of a create is found. The generated code fills it from the OpenAPI files.
type creation[T any] struct {
	list   func(ctx context.Context, opts ...CallOption) ([]T, error)
	id     func(*T) string
	like   func(*T) bool // Reports whether a record has the values of the request.
	unique bool          // Any record with the values is as good as a new one.
	fill   func(*T)      // Sets the values of the request that the response lacks, or nil.
	// get returns the whole record of a listed one. It is nil if the listed one is complete.
	get func(ctx context.Context, listed *T, opts ...CallOption) (*T, error)
}

// create executes a create.
func create[T any](
	ctx context.Context, e *engine, request api.RequestOf[T], opts []CallOption, find creation[T],
) (*T, error) {
	c := e.newCall(request.Request, opts)
	c.creates = true
	if c.settings.once == nil || c.err != nil || ctx == nil {
		return find.send(ctx, c, request)
	}
	reading := callOption{nil, func(s *callSettings) {
		*s = *c.settings
		s.once, s.capture, s.query = nil, nil, url.Values{}
	}}
	turn, _ := e.creating.LoadOrStore(request.Path, make(chan struct{}, 1))
	select {
	case turn.(chan struct{}) <- struct{}{}:
		defer func() { <-turn.(chan struct{}) }()
		return (&onlyOnce[T]{find, c, request, c.settings.once, reading}).run(ctx)
	case <-ctx.Done():
		return nil, withCause(ctx, ctx.Err())
	}
}

// send executes the call of a create.
func (f creation[T]) send(ctx context.Context, c *call, request api.RequestOf[T]) (record *T, err error) {
	if request.Read != nil {
		record, err = receive(ctx, c, request, *new(T))
	} else { // The response only confirms.
		record = new(T)
		_, err = c.exchange(ctx, reply.Payload{})
	}
	if err == nil && f.fill != nil {
		f.fill(record)
	}
	return record, err
}

// onlyOnce is a create with WithCreateOnce.
type onlyOnce[T any] struct {
	creation[T]
	call    *call
	request api.RequestOf[T]
	journal *journal
	reading CallOption // The options of the create, as far as they are for listings too.
}

// run executes the create, unless the journal has a result.
func (o *onlyOnce[T]) run(ctx context.Context) (*T, error) {
	entry, err := o.journal.load(ctx, o.request.Request)
	timeout := cmp.Or(o.call.settings.timeout, lookLimit)
	switch {
	case err != nil:
		return nil, err
	case entry.ID != "":
		return o.existing(ctx, entry.ID)
	case !entry.Sent.IsZero():
		// The clock of this machine may be behind the one that sent the request.
		found, err := o.look(ctx, entry.Before, time.Now().Add(min(time.Until(entry.Sent), 0)+timeout))
		if err != nil {
			return nil, err
		}
		if found != nil {
			return o.finish(ctx, entry, found)
		}
	default:
		list, err := o.list(ctx, o.reading)
		if err != nil {
			return nil, err
		}
		for i := range list {
			entry.Before = append(entry.Before, o.id(&list[i]))
		}
	}
	entry.Sent = time.Now()
	if err := o.journal.save(ctx, entry); err != nil {
		return nil, err
	}
	created, err := o.send(ctx, o.call, o.request)
	after, cancel := context.WithTimeout(context.WithoutCancel(ctx), lookLimit)
	defer cancel()
	switch {
	case err == nil && o.id(created) != "":
		return created, o.done(after, entry, o.id(created))
	case err == nil:
		err = o.call.received.noRecordError()
	case !errors.Is(err, ErrOutcomeUnknown):
		_ = o.journal.save(after, journalEntry{Create: entry.Create}) // If it fails, the next create finds nothing.
		return nil, err
	}
	found, lookErr := o.look(after, entry.Before, time.Now().Add(min(timeout, lookAfter)))
	switch {
	case found != nil:
		return o.finish(after, entry, found)
	case lookErr != nil:
		err = fmt.Errorf("%w; looking for its result: %w", err, lookErr)
	}
	return nil, err
}

// finish saves the object that was found and returns its record.
func (o *onlyOnce[T]) finish(ctx context.Context, entry journalEntry, found *T) (*T, error) {
	if err := o.done(ctx, entry, o.id(found)); err != nil {
		return nil, err
	}
	record, err := o.whole(ctx, found)
	return record, o.known(o.id(found), err)
}

// whole returns the whole record of a listed one.
func (o *onlyOnce[T]) whole(ctx context.Context, listed *T) (*T, error) {
	if o.get == nil {
		return listed, nil
	}
	return o.get(ctx, listed, o.reading)
}

// done saves the id of the new object. If that fails, the next create with the name looks for the object.
func (o *onlyOnce[T]) done(ctx context.Context, entry journalEntry, id string) error {
	return o.known(id, o.journal.save(ctx, journalEntry{Create: entry.Create, ID: id}))
}

// known adds the id of the new object to an error, or returns nil if there is none.
func (o *onlyOnce[T]) known(id string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w: %w", &CreateError{Operation: o.request.Operation.ID, IDs: []string{id}}, err)
}

// existing returns the record of the object that the journal knows.
func (o *onlyOnce[T]) existing(ctx context.Context, id string) (*T, error) {
	list, err := o.list(ctx, o.reading)
	if err != nil {
		return nil, err
	}
	for i := range list {
		if o.id(&list[i]) == id {
			return o.whole(ctx, &list[i])
		}
	}
	const format = "rpcfleet: %s: the object %q of the journal %q does not exist any more: %w"
	return nil, fmt.Errorf(format, o.request.Operation.ID, redactArg(id), redactArg(o.journal.name), ErrNotFound)
}

// look looks for the result of a request until a time. It returns the only new object that is like the request, or nil
// if there is none. Only the last look can say which one that is: others may come until then.
func (o *onlyOnce[T]) look(ctx context.Context, before []string, until time.Time) (*T, error) {
	if o.unique { // An object that any other look would find too.
		if found, _ := o.compare(ctx, before); found != nil {
			return found, nil
		}
	}
	select {
	case <-time.After(time.Until(until)):
		return o.compare(ctx, before)
	case <-ctx.Done():
		return nil, withCause(ctx, ctx.Err())
	}
}

// compare lists the objects that are like the request and returns the new one.
func (o *onlyOnce[T]) compare(ctx context.Context, before []string) (found *T, err error) {
	list, err := o.list(ctx, o.reading)
	if err != nil {
		return nil, err
	}
	var ids []string
	known := map[string]bool{}
	for _, id := range before {
		known[id] = true
	}
	for i := range list {
		one := &list[i]
		switch id := o.id(one); {
		case id == "" || !o.like(one) || slices.Contains(ids, id):
		case !known[id]:
			found, ids = one, append(ids, id)
		case o.unique && found == nil:
			found = one
		}
	}
	if len(ids) > 1 && !o.unique {
		return nil, &CreateError{Operation: o.request.Operation.ID, IDs: ids}
	}
	return found, nil
}

// journal is where the state of a create is saved. The store is nil without WithCreateJournal.
type journal struct {
	store CheckpointStore
	name  string
}

// journalEntry is the state of a create, which a checkpoint contains as its Metadata.
type journalEntry struct {
	Create string    `json:"create"`           // The path and a checksum of the body, without its secrets.
	Before []string  `json:"before,omitempty"` // The ids of the objects that existed before the request.
	Sent   time.Time `json:"sent,omitzero"`    // The time of the request, or zero if none is open.
	ID     string    `json:"id,omitempty"`     // The id of the new object, if it is known.
}

// load returns the entry of a create, which is new if there is none.
func (j *journal) load(ctx context.Context, request api.Request) (entry journalEntry, err error) {
	body, _ := json.Marshal(request.Body) // If it fails, the call returns the error.
	create := request.Path + " " + checksum(body)
	if j.store == nil {
		return journalEntry{Create: create}, nil
	}
	saved, err := j.store.Load(ctx, j.name)
	switch {
	case err != nil:
		return entry, err
	case saved.IsZero():
		return journalEntry{Create: create}, nil
	case json.Unmarshal([]byte(saved.Metadata), &entry) != nil || entry.Create != create:
		const rule = "must not be the name of another create"
		violation := &ValidationError{Field: "journal name", Rule: rule, Value: j.name}
		return entry, violation.withOperation(request.Operation)
	}
	return entry, nil
}

// save saves the entry.
func (j *journal) save(ctx context.Context, entry journalEntry) error {
	if j.store == nil {
		return nil
	}
	text, _ := json.Marshal(entry) // It cannot fail: the years are 1 to 9999.
	return j.store.Save(ctx, j.name, Checkpoint{Metadata: string(text)})
}

// collect reads a listing to its end.
func collect[T any](listing iter.Seq2[T, error]) ([]T, error) {
	var all []T
	for item, err := range listing {
		if err != nil {
			return nil, err
		}
		all = append(all, item)
	}
	return all, nil
}

// fill sets a field of a response that lacks it.
func fill[T string | []string](field *T, sent T) {
	if len(*field) == 0 {
		*field = deepCopy(sent)
	}
}

// same reports whether a field of a record has the value of a request. Case and spaces do not matter, nor do the order
// of a list and duplicates in it.
func same(has, sent any) bool { return strings.EqualFold(fieldText(has), fieldText(sent)) }

// fieldText returns a field as text.
func fieldText(field any) string {
	if list, ok := field.([]string); ok {
		return fmt.Sprintf("%q", slices.Compact(slices.Sorted(slices.Values(list))))
	}
	return strings.Join(strings.Fields(fmt.Sprint(field)), " ")
}
