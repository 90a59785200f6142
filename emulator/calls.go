package emulator

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"time"
)

// Call is one request to the emulator with its outcome, without its headers. It must not be changed.
type Call struct {
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
	// Fault is the effect of the fault that was applied, "status" or "response" for a fault without an effect, or
	// empty.
	Fault string `json:"fault,omitempty"`
}

const (
	maxCallBody = 64 << 10
	maxCalls    = 10_000
)

// Calls returns the latest 10,000 calls of these operations, or of all without arguments, in the order in which they
// were served. A call is recorded before its response is sent. Calls panics for an unknown operation, because an
// assertion about a misspelled name would never fail.
func (e *Emulator) Calls(operations ...string) []Call {
	for _, id := range operations {
		if e.operations.byID[id] == nil {
			panic(fmt.Sprintf("emulator: Calls: unknown operation %q", id))
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(e.calls), func(call Call) bool {
		return len(operations) > 0 && !slices.Contains(operations, call.Operation)
	})
}

// ResetCalls forgets the calls so far.
func (e *Emulator) ResetCalls() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.calls = nil
}

// record adds a call to the latest ones. The emulator is locked.
func (e *Emulator) record(call Call) {
	e.calls = append(e.calls, call)
	e.calls = e.calls[max(len(e.calls)-maxCalls, 0):]
}

// newCall makes a call without an outcome.
func (r *request) newCall() Call {
	call := Call{
		Operation: r.op.ID, Method: r.http.Method, Path: r.http.URL.Path, Params: r.params, Query: r.http.URL.Query(),
		Time: r.settings.clock(),
	}
	if len(r.body) <= maxCallBody {
		_ = json.Unmarshal(r.body, &call.Body) // Otherwise it stays nil.
	}
	return call
}
