package emulator

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"time"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/adminapi"
	"github.com/rpcfleet/rpcfleet-go/emulator/internal/alertsapi"
	"github.com/rpcfleet/rpcfleet-go/emulator/internal/graphapi"
	"github.com/rpcfleet/rpcfleet-go/emulator/internal/serve"
)

// state is the state of the emulator: lists of generated records, and of such with values that no record shows.
// Emulator.mu guards it.
type state struct {
	settings *settings
	ids      idSource

	account  adminapi.AccountInfo
	invoices []adminapi.Invoice // The newest first, and so are the payments.
	payments []adminapi.Payment
	// endpoints has every endpoint ever created, in that order. Archived ones stay, because their usage remains part of
	// the account's.
	endpoints     []*endpointData
	tags          []*adminapi.Tag
	users         []*adminapi.TeamUser
	teams         []*teamData
	destinations  []*alertsapi.Destination
	notifications []*notification
	tooling       adminapi.ToolingAccess
	sessions      map[string]time.Time // The ends of session tokens.
	// logged counts the logged calls. It keeps their ids apart.
	logged int64
	graph  *graphapi.API // nil until the first query.

	webhooks []*hook
	streams  []*stream
	values   map[string]string
	lists    map[string][]string // Sorted, each item once.
	heads    map[string]int64    // The newest block of each network.
}

func newState(settings *settings) *state {
	s := &state{
		settings: settings, ids: idSource{seed: settings.seed, serial: 1000}, sessions: map[string]time.Time{},
		values: map[string]string{}, lists: map[string][]string{}, heads: map[string]int64{},
	}
	s.addAccount()
	return s
}

// now is the emulator's present, to the millisecond.
func (s *state) now() time.Time { return s.settings.clock().UTC().Truncate(time.Millisecond) }

// endpoint finds an endpoint that is not archived.
func (s *state) endpoint(id string) (*endpointData, error) {
	found, err := find(s.endpoints, "endpoint", id)
	if err == nil && found.archived {
		return nil, notFound("endpoint not found")
	}
	return found, err
}

// live lists the endpoints that are not archived, in the order of their creation.
func (s *state) live() []*endpointData {
	return slices.DeleteFunc(slices.Clone(s.endpoints), func(e *endpointData) bool { return e.archived })
}

// The functions here work on lists of records, and of pointers to records. A record has its id in a field ID, which may
// be a number and a pointer.

func idOf(record any) string {
	id := reflect.Indirect(reflect.Indirect(reflect.ValueOf(record)).FieldByName("ID"))
	if id.Kind() == reflect.String {
		return id.String()
	}
	return strconv.FormatInt(id.Int(), 10)
}

// find finds the record with an id. The kind of the record is for the error.
func find[T any](list []T, kind, id string) (found T, err error) {
	for _, record := range list {
		if idOf(record) == id {
			return record, nil
		}
	}
	return found, notFound(kind + " not found")
}

// remove removes the record with an id, and reports whether there was one.
func remove[T any](list *[]T, id string) bool {
	before := len(*list)
	*list = slices.DeleteFunc(*list, func(record T) bool { return idOf(record) == id })
	return len(*list) < before
}

// addTo adds a record to a list, and returns a copy of it.
func addTo[T any](list *[]T, record T) *T {
	*list = append(*list, record)
	return &record
}

// each returns a value, such as the id, of each item of a list.
func each[T, V any](list []T, valueOf func(T) V) []V {
	values := make([]V, len(list))
	for i, item := range list {
		values[i] = valueOf(item)
	}
	return values
}

// count returns the number of items that pass a test.
func count[T any](list []T, passes func(T) bool) (passed int) {
	for _, item := range list {
		if passes(item) {
			passed++
		}
	}
	return passed
}

// merged returns a record with the fields of a request, or of another record, in the place of its own. They have the
// same names in JSON. A field that is left out there stays as it is.
func merged[T any](record T, with any) (result T) {
	fields := map[string]json.RawMessage{}
	for _, one := range []any{record, with} {
		text, _ := json.Marshal(one) // Both were JSON, or have a form in it.
		_ = json.Unmarshal(text, &fields)
	}
	text, _ := json.Marshal(fields)
	_ = json.Unmarshal(text, &result)
	return result
}

// offsetPage returns a page of a list with its limit and its offset, which a query may choose (assumed: not below 1 and
// 0).
func offsetPage[T any](s *settings, list []T, limit, offset *int) (page []T, size, first int, err error) {
	size, first = min(valueOr(limit, defaultPage), s.pageCap), valueOr(offset, 0)
	if size < 1 || first < 0 {
		return nil, 0, 0, serve.BadRequest("limit must be at least 1, and offset not negative")
	}
	return pageOf(list, size, first), size, first, nil
}

// pageOf returns a page of a list. Beyond the end of the list, the page is empty.
func pageOf[T any](list []T, limit, offset int) []T {
	rest := list[min(offset, len(list)):]
	return rest[:min(limit, len(rest))]
}

// valueOr returns the value of a pointer, or otherwise if the pointer is nil.
func valueOr[T any](pointer *T, otherwise T) T {
	if pointer == nil {
		return otherwise
	}
	return *pointer
}

// nonZero returns a pointer to a value, or nil if the value is zero.
func nonZero[T comparable](value T) *T {
	if value == *new(T) {
		return nil
	}
	return &value
}

// idSource makes ids and tokens from a seed. They look like the service's own.
type idSource struct {
	seed, drawn uint64
	serial      int64
}

// random returns the source of the next random id.
func (i *idSource) random() *rand.Rand {
	i.drawn++
	return rand.New(rand.NewPCG(i.seed, i.drawn))
}

// number returns the next integer id, as tags, teams and users have them.
func (i *idSource) number() int64 {
	i.serial++
	return i.serial
}

// numberText returns the next integer id as text.
func (i *idSource) numberText() string { return strconv.FormatInt(i.number(), 10) }

// text returns a lower-case id of n characters.
func (i *idSource) text(n int) string {
	const alphabet = "abcdefghijklmnopqrstuvwxyz0123456789"
	random, out := i.random(), make([]byte, n)
	for k := range out {
		out[k] = alphabet[random.IntN(len(alphabet))]
	}
	return string(out)
}

// uuid returns a random UUID of version 4.
func (i *idSource) uuid() string {
	random := i.random()
	high, low := random.Uint64()&^uint64(0xf000)|0x4000, random.Uint64()
	low = low&^(uint64(3)<<62) | uint64(1)<<63
	return fmt.Sprintf("%08x-%04x-%04x-%04x-%012x", high>>32, high>>16&0xffff, high&0xffff, low>>48, low&0xffffffffffff)
}

// subdomain returns a name for the endpoint with this number. The number makes it unique.
func (i *idSource) subdomain(number int64) string {
	words := []string{"brook", "cedar", "cloud", "field", "harbor", "lake", "moon", "river", "wind"}
	return fmt.Sprintf("%s-%d", words[i.random().IntN(len(words))], number)
}
