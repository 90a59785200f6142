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

// Call is one request to the emulator with its outcome. Secrets are masked in all of it: the keys of the emulator
// everywhere, fields and parameters with names like token, secret, password and key, and all but scheme and host of
// the addresses in fields with names like URL.
type Call struct {
	// Number counts the calls from 1, in the order in which they were served. [Emulator.ResetCalls] does not reset it.
	Number int `json:"number"`
	// Operation is the operation's id as in [Fault], or empty if the request belongs to none.
	Operation string `json:"operation"`
	// Method and Path are the request's own, the path unescaped.
	Method string `json:"method"`
	Path   string `json:"path"`
	// Params are the path parameters by name.
	Params map[string]string `json:"params,omitempty"`
	// Query is the parsed query.
	Query url.Values `json:"query,omitempty"`
	// Body is the parsed JSON body, with numbers as float64. It is nil without a body, if it is not JSON, and if it is
	// larger than 64 KiB.
	Body any `json:"body,omitempty"`
	// Time is the time at which the request was served, by the emulator's clock.
	Time time.Time `json:"time"`
	// Executed reports whether the request reached the emulator's operation, which may have rejected it. It is false
	// if a fault prevented that.
	Executed bool `json:"executed"`
	// Status is the status that was sent, or 0 if none was.
	Status int `json:"status"`
	// RequestID is the X-Request-Id of the response.
	RequestID string `json:"requestId"`
	// Fault is the effect of the fault that was applied, "status" or "response" for a fault without an effect, or
	// empty.
	Fault string `json:"fault,omitempty"`
}

const (
	// maxCallBody is the largest body that is kept with a call, and maxCallBodies the size of all of them.
	maxCallBody   = 64 << 10
	maxCallBodies = 32 << 20
)

// Calls returns the calls of these operations, or all calls without arguments, in the order in which they were served.
// A call is recorded before its response is sent. Calls panics for an unknown operation, because an assertion
// about a misspelled name would never fail.
func (e *Emulator) Calls(operations ...string) []Call {
	for _, id := range operations {
		if e.operations.byID[id] == nil {
			panic(fmt.Sprintf("emulator: Calls: unknown operation %q", id))
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
func (e *Emulator) ResetCalls() {
	e.calls.mu.Lock()
	defer e.calls.mu.Unlock()
	e.calls.kept, e.calls.bytes = nil, 0
}

// keptCall is a call with its body as it came, and unmasked.
type keptCall struct {
	Call

	body []byte
}

// callHistory are the latest calls.
type callHistory struct {
	limit int

	mu    sync.Mutex
	last  int // The number of the latest.
	kept  []keptCall
	bytes int // The size of all bodies in kept.
}

// add numbers and keeps a call.
func (c *callHistory) add(call keptCall) {
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
		c.kept[gone] = keptCall{} // The array of the slice stays for a while.
		gone++
	}
	c.kept = c.kept[gone:]
}

func (c *callHistory) all() []keptCall {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.kept)
}

// newCall makes a call without an outcome.
func (e *Emulator) newCall(r requestData, requestID string) keptCall {
	return keptCall{body: r.body, Call: Call{
		Operation: r.op.ID, Method: r.http.Method, Path: r.http.URL.Path, Params: r.params,
		Query: r.http.URL.Query(), Time: e.settings.clock(), RequestID: requestID,
	}}
}

// shown returns a copy of the call without secrets.
func (k keptCall) shown(secrets ...string) Call {
	mask := mask(secrets)
	call := k.Call
	call.Path = mask.text(call.Path)
	call.Params = maps.Clone(call.Params)
	for name, value := range call.Params {
		call.Params[name] = mask.text(value)
	}
	call.Query = make(url.Values, len(k.Query))
	for name, values := range k.Query {
		for _, value := range values {
			call.Query.Add(name, mask.named(name, value))
		}
	}
	if json.Unmarshal(k.body, &call.Body) == nil {
		call.Body = mask.value("", call.Body)
	}
	return call
}

const masked = "[masked]"

// mask replaces secrets: its own in every text, and others by their names.
type mask []string

func (m mask) text(text string) string {
	for _, value := range m {
		if value != "" {
			text = strings.ReplaceAll(text, value, masked)
		}
	}
	return text
}

// named masks the text of a field or a parameter.
func (m mask) named(name, text string) string {
	lower := strings.ToLower(name)
	public := strings.HasSuffix(lower, "public_key") || strings.HasSuffix(lower, "publickey")
	for _, end := range []string{"token", "secret", "password", "key", "authorization", "jwt", "credential"} {
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

// value masks the texts in the value of a field. The elements of an array count as the field itself.
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

// Exchange is one request with its response, for an observer.
type Exchange struct {
	// Method is the request's method.
	Method string
	// URL is the path and the query, as they were sent.
	URL string
	// RequestHeader and RequestBody are the request's own.
	RequestHeader http.Header
	RequestBody   []byte
	// Status, Header and Body are the response.
	Status int
	Header http.Header
	Body   []byte
	// Fault is the applied fault, as in [Call], or empty. A fault on the connection may prevent that the response
	// arrives.
	Fault string `json:",omitempty"`
}

// recordVariable names a folder. If it is set, every emulator of a process writes its exchanges into the folder, one
// line of JSON each, so that a whole test run can be checked against the contract.
const recordVariable = "RPCFLEET_EMULATOR_RECORD"

// recorder returns an observer that writes to a new file in that folder, or nil.
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
			return // The response may break the contract on purpose.
		}
		mu.Lock()
		defer mu.Unlock()
		if err := lines.Encode(exchange); err != nil {
			panic(fmt.Sprintf("emulator: %s: %v", recordVariable, err))
		}
	}
}

// observe calls the observers.
func (e *Emulator) observe(r *http.Request, body []byte, response *responseBuffer, fault string) {
	for _, observe := range e.settings.observers {
		observe(Exchange{
			Method: r.Method, URL: r.URL.RequestURI(), RequestHeader: r.Header.Clone(), RequestBody: body,
			Status: response.status, Header: response.header.Clone(), Body: response.body.Bytes(), Fault: fault,
		})
	}
}
