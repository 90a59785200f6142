package emulator

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
)

// Fault is a failure to inject: for which requests, how often, and its effect. [WithFaults] and [Emulator.Inject]
// inject it, and so does a program in any language over the route of [WithAdminAPI]. The JSON form has the fields under
// the names of their tags, and durations as texts such as "300ms".
//
//	{Operation: "listEndpoints", Times: 2, Status: 429, RetryAfter: "1"}   // 429 twice
//	{Operation: "archiveEndpoint", After: 2, Times: 1, Status: 500}        // the third one fails
//	{Latency: 300 * time.Millisecond}                                      // everything is slow
//	{Operation: "createEndpoint", Effect: emulator.EffectLoseResponse}     // it succeeds, but the response is lost
//	{Operation: "getEndpoint", Times: 1, Status: 200, Body: `{"data":{}}`} // a scripted response
//
// Faults apply in the order of their injection. All latencies add up. The first fault with another effect decides, and
// the faults behind it do not count the request. So one fault may take over after another one has had its times.
type Fault struct {
	// Operation is the id of the operation, such as "archiveEndpoint". All queries of the graph area are "graph", with
	// the operationName of the request as a parameter, and the calls to the tooling endpoint are "tooling". Empty is
	// every operation.
	Operation string `json:"operation,omitzero"`
	// Params are path parameters by name, such as "id". The fault is for requests that have all of them.
	Params map[string]string `json:"params,omitzero"`

	// After is the number of these requests that pass first.
	After int `json:"after,omitzero"`
	// Times is the largest number of times that the fault happens. 0 means unlimited.
	Times int `json:"times,omitzero"`
	// Probability is the probability for each request that the fields above select, from 0 to 1. 0 stands for 1. It
	// follows from the seed of the emulator: see [WithSeed].
	Probability float64 `json:"probability,omitzero"`

	// Latency delays the request before anything else happens to it, in real time or in the time of a testing/synctest
	// bubble, not by [WithClock]. If its client gives up meanwhile, the request is not served.
	Latency time.Duration `json:"latency,omitzero"`
	// Effect is the failure. It may be empty if there is a Latency or a Status.
	Effect Effect `json:"effect,omitzero"`

	// Status, without an Effect, is a status from 400 to 599. The response is a failure in the form of the area, and
	// the request is not served. With Header or Body it is any status from 200 to 599. With [EffectHTML] it is the
	// status of the page, 200 by default, and with [EffectRedirect] the status of the redirect, 307 by default.
	Status int `json:"status,omitzero"`
	// Header and Body, without an Effect, are the whole response with Status, in place of the area's failure. Its
	// Content-Type is application/json if Header has none.
	Header http.Header `json:"header,omitzero"`
	Body   string      `json:"body,omitzero"`
	// RetryAfter is a Retry-After header for a Status from 400 on: seconds, such as "2", an HTTP date, or any other
	// text that a client should survive.
	RetryAfter string `json:"retryAfter,omitzero"`
	// ContentType is the type that [EffectWrongContentType] sends. It is "application/octet-stream" by default.
	ContentType string `json:"contentType,omitzero"`
	// Location is the target of [EffectRedirect]. By default it is another origin, where nothing responds.
	Location string `json:"location,omitzero"`
	// Limit is the size of pages with [EffectLowerLimit]. It is required.
	Limit int `json:"limit,omitzero"`
	// Interval is the wait before each byte with [EffectSlowBody]. It is 100 ms by default.
	Interval time.Duration `json:"interval,omitzero"`
	// Pointer is the place that [EffectSetField] and [EffectRemoveField] change, as a JSON pointer such as "/data/0/id".
	Pointer string `json:"pointer,omitzero"`
	// Value is the new value with [EffectSetField]. It is encoded as JSON. nil is null.
	Value any `json:"value,omitzero"`
}

// breaks reports whether the fault is more than a delay.
func (f Fault) breaks() bool { return f.Effect != "" || f.Status != 0 }

// scripted reports whether the fault is a whole response.
func (f Fault) scripted() bool { return f.Effect == "" && (f.Header != nil || f.Body != "") }

// name is the fault's name in calls.
func (f Fault) name() string {
	switch {
	case f.scripted():
		return "response"
	case f.Effect == "" && f.Status != 0:
		return "status"
	}
	return string(f.Effect)
}

// faultFields is a fault without its methods.
type faultFields Fault

// faultForm is the JSON form of a fault. An unknown field is an error, because a misspelled rule would change the
// fault.
var faultForm = jsonv2.JoinOptions(jsonv2.RejectUnknownMembers(true), jsonv2.Deterministic(true),
	jsonv2.WithMarshalers(jsonv2.MarshalFunc(func(d time.Duration) ([]byte, error) { return json.Marshal(d.String()) })),
	jsonv2.WithUnmarshalers(jsonv2.UnmarshalFunc(func(text []byte, into *time.Duration) (err error) {
		*into, err = time.ParseDuration(strings.Trim(string(text), `"`))
		return err
	})))

// MarshalJSON implements json.Marshaler.
func (f Fault) MarshalJSON() ([]byte, error) { return jsonv2.Marshal(faultFields(f), faultForm) }

// UnmarshalJSON implements json.Unmarshaler.
func (f *Fault) UnmarshalJSON(text []byte) error {
	var read faultFields
	if err := jsonv2.Unmarshal(text, &read, faultForm); err != nil {
		return err
	}
	*f = Fault(read)
	return nil
}

// ofEveryFault are the fields of a fault with any effect.
var ofEveryFault = []string{"operation", "params", "after", "times", "probability", "latency", "effect"}

// check returns an error for the first rule that the fault breaks.
func (f Fault) check(known *operationTable) error {
	effect, implemented := effects[f.Effect]
	op := known.byID[f.Operation]
	least, most := 400, 599
	switch {
	case f.Effect == EffectHTML || f.scripted():
		least = 200
	case f.Effect == EffectRedirect:
		least, most = 300, 399
	}
	text, err := json.Marshal(f)
	var members map[string]any
	_ = json.Unmarshal(text, &members) // Without a JSON form, there are none.
	unused, unknown := "", ""
	for field := range members {
		if !slices.Contains(ofEveryFault, field) && !slices.Contains(effect.takes, field) {
			unused = max(unused, field)
		}
	}
	for name := range f.Params {
		if op != nil && !slices.Contains(op.params, name) {
			unknown = name
		}
	}
	for _, rule := range []struct {
		broken bool
		text   string
	}{
		{f.Operation != "" && op == nil, "operation must be the id of an operation, not " + f.Operation},
		{unknown != "", "params must be path parameters of the operation, not " + unknown},
		{effect.pagings != nil && op != nil && !slices.Contains(effect.pagings, op.Paging),
			"operation must be a listing by " + strings.Join(effect.pagings, " or ")},
		{f.After < 0, "after must not be negative"},
		{f.Times < 0, "times must not be negative"},
		{!(f.Probability >= 0 && f.Probability <= 1), "probability must be from 0 to 1"}, // NaN is not.
		{!implemented, "effect must be a known effect, not " + string(f.Effect)},
		{f.scripted() && f.Status == 0, "status is required with a header or a body"},
		{!f.breaks() && f.Latency == 0, "effect is required without a latency or a status"},
		{f.Latency < 0, "latency must not be negative"},
		{f.Status != 0 && (f.Status < least || f.Status > most), fmt.Sprintf("status must be from %d to %d", least, most)},
		{unused != "", fmt.Sprintf("%s cannot be combined with the effect %q", unused, f.Effect)},
		{f.RetryAfter != "" && f.Status < 400, "retryAfter needs a status from 400 on"},
		{f.Effect == EffectLowerLimit && f.Limit < 1, "limit must be at least 1"},
		{f.Interval < 0, "interval must not be negative"},
		{slices.Contains(effect.takes, "pointer") && !isPointer(f.Pointer),
			`pointer must be a JSON pointer to a place below the root, such as "/data/id"`},
		{err != nil, fmt.Sprintf("value must be valid JSON: %v", err)},
	} {
		if rule.broken {
			return errors.New("emulator: fault: " + rule.text)
		}
	}
	return nil
}

// Inject injects a fault, behind the existing ones. An invalid fault is an error that names the field and its rule: an
// unknown operation, path parameter or effect, or an argument that does not go with the effect. The fault must not be
// changed afterwards.
func (e *Emulator) Inject(fault Fault) (*Injection, error) {
	if err := fault.check(e.operations); err != nil {
		return nil, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.injected++
	random := rand.New(rand.NewPCG(e.settings.seed, uint64(e.injected)))
	added := &Injection{of: e, fault: fault, id: e.injected, random: random}
	e.faults = append(e.faults, added)
	return added, nil
}

// Faults returns the active injections in their order.
func (e *Emulator) Faults() []*Injection {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.faults)
}

// RemoveFaults ends all injections.
func (e *Emulator) RemoveFaults() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.faults = nil
}

// Injection is an injected fault. It is safe for concurrent use.
type Injection struct {
	of    *Emulator
	fault Fault
	id    int

	// Emulator.mu guards these.
	seen, fired int
	random      *rand.Rand
}

// MarshalJSON is the form of an injection in the responses of WithAdminAPI.
func (i *Injection) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]any{"id": i.id, "fired": i.Fired(), "fault": i.fault})
}

// Fault returns the fault.
func (i *Injection) Fault() Fault { return i.fault }

// Fired returns the number of times that the fault has happened.
func (i *Injection) Fired() int {
	i.of.mu.Lock()
	defer i.of.mu.Unlock()
	return i.fired
}

// Remove ends the injection. Requests that it has applied to already fail all the same.
func (i *Injection) Remove() {
	i.of.mu.Lock()
	defer i.of.mu.Unlock()
	i.of.faults = slices.DeleteFunc(slices.Clone(i.of.faults), func(other *Injection) bool { return other == i })
}

// fires counts a request if the fault is for it, and reports whether the fault happens.
func (i *Injection) fires(r *request) bool {
	if i.fault.Operation != "" && i.fault.Operation != r.op.ID {
		return false
	}
	for name, value := range i.fault.Params {
		if got, has := r.params[name]; !has || got != value {
			return false
		}
	}
	i.seen++
	if i.seen <= i.fault.After || i.fault.Times > 0 && i.fired >= i.fault.Times ||
		i.fault.Probability > 0 && i.random.Float64() >= i.fault.Probability {
		return false
	}
	i.fired++
	return true
}

// applyFaults applies the faults to a request. It returns the latency, and the injection that decides about the
// response, or nil.
func (r *request) applyFaults() (latency time.Duration, decided *Injection) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, i := range r.faults {
		if i.fault.breaks() && decided != nil || !i.fires(r) {
			continue
		}
		latency += i.fault.Latency
		if i.fault.breaks() {
			decided = i
		}
	}
	return latency, decided
}
