package emulator

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
)

// Call is one request that the emulator was sent, and what became of it. Secrets are masked in all of it: the keys of
// the emulator wherever they stand, members and parameters that are named after tokens, secrets, passwords and keys,
// and all but scheme and host of the addresses in members named after URLs.
type Call struct {
	// Number counts the calls from 1, in the order in which they were carried out. Numbers go on after [Emulator.ResetCalls].
	Number int `json:"number"`
	// Operation is the operation's id as in [Fault], or empty where the request was of none.
	Operation string `json:"operation"`
	// Method and Path are those of the request, the path unescaped.
	Method string `json:"method"`
	Path   string `json:"path"`
	// Params are the path parameters by name.
	Params map[string]string `json:"params,omitempty"`
	// Query is the parsed query.
	Query url.Values `json:"query,omitempty"`
	// Body is the parsed JSON body, with numbers as float64: nil where there was none, or where it was not JSON. A body
	// over 64 KiB is not kept.
	Body any `json:"body,omitempty"`
	// Time is when the request was carried out, by the emulator's clock.
	Time time.Time `json:"time"`
	// CarriedOut reports whether the emulator did what it was asked, or refused it for a reason of its own. It is false
	// where a fault came first.
	CarriedOut bool `json:"carriedOut"`
	// Status is the status that was sent, or 0 where none was.
	Status int `json:"status"`
	// RequestID is the X-Request-Id of the response.
	RequestID string `json:"requestId"`
	// Fault is the effect of the fault that the request met, "status" for one that is only a status, or empty.
	Fault string `json:"fault,omitempty"`
}

const (
	defaultKeptCalls = 10_000
	// maxCallBody is the largest body that a call is kept with, and maxCallBodies the size of all of them.
	maxCallBody   = 64 << 10
	maxCallBodies = 32 << 20
)

// WithKeptCalls sets how many calls [Emulator.Calls] knows at most: the latest ones. They are 10,000 unless set, or
// fewer where their bodies have more than 32 MiB together. 0 keeps none.
func WithKeptCalls(calls int) Option { return func(s *settings) { s.keptCalls = max(calls, 0) } }

// Calls returns the calls of these operations, or all calls where none is given, in the order in which they were
// carried out. A call is there before its response is sent. Calls panics where a name is that of no operation: what is
// asserted of a name that is misspelled would never fail.
func (e *Emulator) Calls(operations ...string) []Call {
	for _, id := range operations {
		if e.operations.byID[id] == nil {
			panic(fmt.Sprintf("emulator: Calls: %q is no operation", id))
		}
	}
	var found []Call
	for _, kept := range e.calls.all() {
		if len(operations) == 0 || slices.Contains(operations, kept.Operation) {
			found = append(found, kept.shown(e.settings.apiKey, e.settings.viewerKey))
		}
	}
	return found
}

// ResetCalls forgets the calls so far.
func (e *Emulator) ResetCalls() { e.calls.reset() }

// keptCall is a call as it came.
type keptCall struct {
	Call

	body []byte
}

// calls are the latest calls.
type calls struct {
	limit int

	mu    sync.Mutex
	last  int // The number of the latest.
	kept  []keptCall
	bytes int // The size of the bodies of kept.
}

// add numbers and keeps a call.
func (c *calls) add(call keptCall) {
	if len(call.body) > maxCallBody {
		call.body = nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last++
	call.Number = c.last
	c.kept = append(c.kept, call)
	c.bytes += len(call.body)
	gone := 0
	for gone < len(c.kept) && (len(c.kept)-gone > c.limit || c.bytes > maxCallBodies) {
		c.bytes -= len(c.kept[gone].body)
		c.kept[gone] = keptCall{} // The array behind the slice lives on for a while.
		gone++
	}
	c.kept = c.kept[gone:]
}

func (c *calls) all() []keptCall {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.kept)
}

func (c *calls) reset() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.kept, c.bytes = nil, 0
}

// newCall is a call that nothing has become of yet.
func (e *Emulator) newCall(a asked, requestID string) keptCall {
	return keptCall{body: a.body, Call: Call{
		Operation: a.id(), Method: a.request.Method, Path: a.request.URL.Path, Params: a.params,
		Query: a.request.URL.Query(), Time: e.settings.clock(), RequestID: requestID,
	}}
}

// shown is the call without secrets, as a copy that the caller may change.
func (k keptCall) shown(secrets ...string) Call {
	mask := mask{secrets}
	call := k.Call
	call.Path = mask.text(call.Path)
	call.Params = maps.Clone(call.Params)
	for name, value := range call.Params {
		call.Params[name] = mask.text(value)
	}
	call.Query = mask.query(call.Query)
	call.Body = mask.body(k.body)
	return call
}

// masked stands where a secret stood.
const masked = "[masked]"

// mask takes secrets out of what was asked.
type mask struct {
	values []string // Texts that are secrets wherever they stand.
}

func (m mask) text(text string) string {
	for _, value := range m.values {
		if value != "" {
			text = strings.ReplaceAll(text, value, masked)
		}
	}
	return text
}

// named is a text that has a name.
func (m mask) named(name, text string) string {
	lower := strings.ToLower(name)
	for _, end := range []string{"token", "secret", "password", "key", "authorization", "jwt", "credential"} {
		public := strings.HasSuffix(lower, "public_key") || strings.HasSuffix(lower, "publickey")
		if strings.HasSuffix(strings.TrimSuffix(lower, "s"), end) && !public && text != "" {
			return masked
		}
	}
	if strings.HasSuffix(lower, "url") {
		if address, err := url.Parse(text); err == nil && address.Host != "" {
			return address.Scheme + "://" + address.Host + "/" + masked
		}
	}
	return m.text(text)
}

// query returns a copy.
func (m mask) query(query url.Values) url.Values {
	shown := make(url.Values, len(query))
	for name, values := range query {
		for _, value := range values {
			shown.Add(name, m.named(name, value))
		}
	}
	return shown
}

// body parses a body, and returns nil where there is none or where it is not JSON.
func (m mask) body(body []byte) any {
	var parsed any
	if json.Unmarshal(body, &parsed) != nil {
		return nil
	}
	return m.value("", parsed)
}

// value masks the texts in a value of a name. The elements of an array have the name of the array.
func (m mask) value(name string, value any) any {
	switch value := value.(type) {
	case string:
		return m.named(name, value)
	case []any:
		for i, element := range value {
			value[i] = m.value(name, element)
		}
	case map[string]any:
		for inner, member := range value {
			value[inner] = m.value(inner, member)
		}
	}
	return value
}

// Exchange is one request and its response, as an observer sees them.
type Exchange struct {
	// Method is that of the request.
	Method string
	// URL is the path and the query, as they were sent.
	URL string
	// RequestHeader and RequestBody are what the request brought.
	RequestHeader http.Header
	RequestBody   []byte
	// Status, Header and Body are the response.
	Status int
	Header http.Header
	Body   []byte
	// Fault is what a fault did to the exchange, as in [Call], or empty. Status, Header and Body are what was settled
	// before the fault had to do with the connection; they need not have arrived.
	Fault string `json:",omitempty"`
}

// WithObserver lets a function see every exchange after its response is settled: a test can assert what its program
// sent. It is called concurrently, and must not change what it is given.
func WithObserver(observe func(Exchange)) Option {
	return func(s *settings) { s.observers = append(s.observers, observe) }
}

// recordVariable names a folder into which every emulator of a process records its exchanges, one line of JSON each.
// That is how a whole test run can be held against the contract afterwards.
const recordVariable = "RPCFLEET_EMULATOR_RECORD"

// recorder returns an observer that writes to a file of its own in the folder that the environment names, or nil.
func recorder() func(Exchange) {
	folder := os.Getenv(recordVariable)
	if folder == "" {
		return nil
	}
	file, err := os.CreateTemp(folder, "exchanges-*.jsonl")
	if err != nil {
		panic(fmt.Sprintf("emulator: %s: %v", recordVariable, err))
	}
	var mu sync.Mutex
	lines := json.NewEncoder(file)
	return func(exchange Exchange) {
		if exchange.Fault != "" {
			return // What is broken on purpose says nothing of the contract.
		}
		mu.Lock()
		defer mu.Unlock()
		if err := lines.Encode(exchange); err != nil {
			panic(fmt.Sprintf("emulator: %s: %v", recordVariable, err))
		}
	}
}

// observe tells the observers of an exchange.
func (e *Emulator) observe(r *http.Request, body []byte, response *response, fault string) {
	if len(e.settings.observers) == 0 {
		return
	}
	exchange := Exchange{
		Method: r.Method, URL: r.URL.RequestURI(), RequestHeader: r.Header.Clone(), RequestBody: body,
		Status: response.status, Header: response.header.Clone(), Body: response.body.Bytes(),
		Fault: fault,
	}
	for _, observe := range e.settings.observers {
		observe(exchange)
	}
}
