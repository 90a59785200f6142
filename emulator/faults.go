package emulator

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/leaf"
	"github.com/rpcfleet/rpcfleet-go/emulator/internal/trigger"
)

// Fault is something that goes wrong: with which requests, how often, and what. [WithFaults] and [Emulator.Inject] put
// it into effect, and so does a program in any language over the route of [WithControl]; the JSON form has the fields
// of the struct under the names of their tags, and durations as texts such as "300ms".
//
//	{Operation: "listEndpoints", Times: 2, Status: 429, RetryAfter: "1"}   // 429 twice
//	{Operation: "archiveEndpoint", After: 2, Times: 1, Status: 500}        // the third one fails
//	{Latency: 300 * time.Millisecond}                                      // everything is slow
//	{Operation: "createEndpoint", Effect: emulator.LoseResponse}           // done, and nobody is told
//
// A request meets the faults in the order in which they were injected. All latencies add up, and the first fault that
// has anything else in store for the request decides: those behind it do not see the request, so that one fault may
// take over where another one has had its times.
type Fault struct {
	// Operation is the id of the operation, such as "archiveEndpoint". All queries of the graph area are "graph", with
	// the name of the query as parameter "operationName", and the calls to the tooling endpoint are "tooling". Empty is
	// every operation.
	Operation string `json:"operation,omitempty"`
	// Params are path parameters by name, such as "id". A request concerns the fault if it has all of them.
	Params map[string]string `json:"params,omitempty"`

	// After lets so many of these requests pass at first.
	After int `json:"after,omitempty"`
	// Every picks each nth of the requests after them: 3 is the third, the sixth and so on. 0 is each one.
	Every int `json:"every,omitempty"`
	// Times is how often the fault happens at most. 0 is without an end.
	Times int `json:"times,omitempty"`
	// Probability is how likely the fault is for each request that the fields above pick, from 0 to 1. 0 is certain.
	Probability float64 `json:"probability,omitempty"`
	// Seed is what Probability draws with. 0 is the seed of the emulator: see [WithSeed].
	Seed uint64 `json:"seed,omitempty"`

	// Latency is how long the request waits before anything else happens to it. The waiting is real time, or that of a
	// testing/synctest bubble, not that of [WithClock]. A request whose client gives up meanwhile is not carried out.
	Latency time.Duration `json:"-"`
	// Effect is what goes wrong. It may be left out where Latency or Status says enough.
	Effect Effect `json:"effect,omitempty"`

	// Status, without an Effect, is a status from 400 to 599 to respond with, in the form of failures of the area, in
	// place of carrying the request out. For [HTML] it is that of the page, 200 unless set, and for [Redirect] that of
	// the redirect, 307 unless set.
	Status int `json:"status,omitempty"`
	// RetryAfter is a Retry-After header, as it is to be sent, beside a Status from 400 on: seconds, such as "2", an
	// HTTP date, or anything that a client ought to survive.
	RetryAfter string `json:"retryAfter,omitempty"`
	// ContentType is what [WrongType] claims. It is "application/octet-stream" unless set.
	ContentType string `json:"contentType,omitempty"`
	// Location is where [Redirect] points. It is an address of another origin, where nothing responds, unless set.
	Location string `json:"location,omitempty"`
	// Limit is the size to which [LowerLimit] lowers pages. It is required.
	Limit int `json:"limit,omitempty"`
	// Interval is how long [Trickle] waits before each byte. It is 100 ms unless set.
	Interval time.Duration `json:"-"`
	// Pointer names the place that [SetLeaf] and [DropLeaf] change, as a JSON pointer such as "/data/0/id".
	Pointer string `json:"pointer,omitempty"`
	// Value is what [SetLeaf] puts there. It is encoded as JSON; nil is null.
	Value any `json:"value,omitempty"`
}

// breaks reports whether the fault has more in store than a delay.
func (f Fault) breaks() bool { return f.Effect != "" || f.Status != 0 }

// name says which fault it is.
func (f Fault) name() string {
	if f.Effect == "" && f.Status != 0 {
		return "status"
	}
	return string(f.Effect)
}

// Effect is a way in which a request or its response goes wrong. Effects on the connection need the emulator to be
// served directly by a server of HTTP/1.1, as [Start] and [Emulator.Client] do. Elsewhere the request is aborted.
type Effect string

// These effects come instead of carrying the request out.
const (
	// Refuse closes the connection without a byte, as near to a refused connection as a request can come.
	Refuse Effect = "refuse"
	// ResetBefore resets the connection without a byte.
	ResetBefore Effect = "reset-before"
	// HTML responds with a page of HTML, as a gateway does.
	HTML Effect = "html"
	// Redirect sends the client to another origin.
	Redirect Effect = "redirect"
	// Endless responds with a body that does not end before the client does, or before 256 MiB.
	Endless Effect = "endless"
)

// These effects spoil the response to a request that was carried out.
const (
	// LoseResponse closes the connection without a byte: the request was carried out, and nobody is told.
	LoseResponse Effect = "lose-response"
	// ResetDuring resets the connection in the middle of the body.
	ResetDuring Effect = "reset-during"
	// ResetAfter resets the connection behind the whole response.
	ResetAfter Effect = "reset-after"
	// Truncate closes the connection in the middle of the body.
	Truncate Effect = "truncate"
	// Trickle sends the body a byte at a time.
	Trickle Effect = "trickle"
	// WrongType sends the body under another Content-Type.
	WrongType Effect = "wrong-type"
	// WrongLength promises half of the body in Content-Length and sends the whole.
	WrongLength Effect = "wrong-length"
	// FalseGzip says that the body is compressed, which it is not.
	FalseGzip Effect = "false-gzip"
	// SetLeaf puts a value at a place in the body: of another type, null, or of a member that the contract does not
	// have. A response without the place stays as it is, and the fault has not happened.
	SetLeaf Effect = "set-leaf"
	// DropLeaf takes a member or an element out of the body. A response without it stays as it is, and the fault has
	// not happened.
	DropLeaf Effect = "drop-leaf"
)

// These effects are for listings, whose pages they spoil. They count only where they change what a request gets.
const (
	// LowerLimit lowers the size of the page below what the request asks for.
	LowerLimit Effect = "lower-limit"
	// RepeatPage responds to a request for a later page with the first one once more.
	RepeatPage Effect = "repeat-page"
	// RepeatCursor responds with the right page, whose cursor leads to that page again.
	RepeatCursor Effect = "repeat-cursor"
)

// Effects lists all effects, sorted by name.
func Effects() []Effect {
	var all []Effect
	for effect := range effects {
		if effect != "" {
			all = append(all, effect)
		}
	}
	slices.Sort(all)
	return all
}

// faultFields is a fault without its methods.
type faultFields Fault

// faultJSON is the JSON form of a fault.
type faultJSON struct {
	faultFields
	Latency  string `json:"latency,omitempty"`
	Interval string `json:"interval,omitempty"`
}

// MarshalJSON implements json.Marshaler.
func (f Fault) MarshalJSON() ([]byte, error) {
	form := faultJSON{faultFields: faultFields(f)}
	if f.Latency != 0 {
		form.Latency = f.Latency.String()
	}
	if f.Interval != 0 {
		form.Interval = f.Interval.String()
	}
	return json.Marshal(form)
}

// UnmarshalJSON implements json.Unmarshaler. A member that is not known is an error, for a rule that is misspelled
// would change what the fault does.
func (f *Fault) UnmarshalJSON(text []byte) error {
	var form faultJSON
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&form); err != nil {
		return err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something follows the fault")
	}
	read := Fault(form.faultFields)
	for _, d := range []struct {
		field, text string
		into        *time.Duration
	}{{"latency", form.Latency, &read.Latency}, {"interval", form.Interval, &read.Interval}} {
		if d.text == "" {
			continue
		}
		var err error
		if *d.into, err = time.ParseDuration(d.text); err != nil {
			return &FaultError{Field: d.field, Rule: `must be a duration such as "300ms"`}
		}
	}
	*f = read
	return nil
}

// FaultError is a fault that makes no sense.
type FaultError struct {
	// Field is the field to blame, by its name in JSON.
	Field string
	// Rule is what it must be.
	Rule string
}

// Error names the field and the rule.
func (e *FaultError) Error() string { return "emulator: fault: " + e.Field + " " + e.Rule }

// check returns what is wrong with a fault, or nil.
func (f Fault) check(known *operations) error {
	for _, find := range []func() *FaultError{
		func() *FaultError { return f.checkOperation(known) }, f.checkWhen, f.checkWhat, f.checkArguments,
	} {
		if found := find(); found != nil {
			return found
		}
	}
	return nil
}

func (f Fault) checkOperation(known *operations) *FaultError {
	op := known.byID[f.Operation]
	if f.Operation != "" && op == nil {
		return &FaultError{"operation", fmt.Sprintf("must be the id of an operation, %q is none", f.Operation)}
	}
	for _, name := range slices.Sorted(maps.Keys(f.Params)) {
		if !known.hasParam(f.Operation, name) {
			return &FaultError{"params", fmt.Sprintf("must be path parameters of the operation, %q is none", name)}
		}
	}
	if pagings := effects[f.Effect].pagings; pagings != nil && op != nil && !slices.Contains(pagings, op.Paging) {
		return &FaultError{"operation", fmt.Sprintf("must be a listing by %s for %q", strings.Join(pagings, " or "), f.Effect)}
	}
	return nil
}

func (f Fault) checkWhen() *FaultError {
	for _, count := range []struct {
		field string
		value int
	}{{"after", f.After}, {"every", f.Every}, {"times", f.Times}} {
		if count.value < 0 {
			return &FaultError{count.field, "must not be negative"}
		}
	}
	switch {
	case !(f.Probability >= 0 && f.Probability <= 1): // Neither is NaN.
		return &FaultError{"probability", "must be from 0 to 1"}
	case f.Seed != 0 && f.Probability == 0:
		return &FaultError{"seed", "needs a probability"}
	}
	return nil
}

func (f Fault) checkWhat() *FaultError {
	_, known := effects[f.Effect]
	least, most := 400, 599
	switch f.Effect {
	case HTML:
		least = 200
	case Redirect:
		least, most = 300, 399
	}
	switch {
	case !known:
		return &FaultError{"effect", fmt.Sprintf("must be one that is known, %q is none", f.Effect)}
	case !f.breaks() && f.Latency == 0:
		return &FaultError{"effect", "is required where there is neither a latency nor a status"}
	case f.Latency < 0:
		return &FaultError{"latency", "must not be negative"}
	case f.Status != 0 && (f.Status < least || f.Status > most):
		return &FaultError{"status", fmt.Sprintf("must be from %d to %d", least, most)}
	}
	return nil
}

// checkArguments checks what belongs to one effect or another.
func (f Fault) checkArguments() *FaultError {
	for _, argument := range []struct {
		field string
		given bool
	}{
		{"status", f.Status != 0}, {"retryAfter", f.RetryAfter != ""}, {"contentType", f.ContentType != ""},
		{"location", f.Location != ""}, {"limit", f.Limit != 0}, {"interval", f.Interval != 0},
		{"pointer", f.Pointer != ""}, {"value", f.Value != nil},
	} {
		if argument.given && !slices.Contains(effects[f.Effect].takes, argument.field) {
			return &FaultError{argument.field, fmt.Sprintf("does not go with the effect %q", f.Effect)}
		}
	}
	location, err := url.Parse(f.Location)
	switch {
	case f.RetryAfter != "" && f.Status < 400:
		return &FaultError{"retryAfter", "needs a status from 400 on"}
	case strings.ContainsAny(f.RetryAfter+f.ContentType+f.Location, "\r\n\x00"):
		return &FaultError{"effect", "must not break the line of a header"}
	case f.Location != "" && (err != nil || location.Host == ""):
		return &FaultError{"location", "must be an absolute address"}
	case f.Effect == LowerLimit && f.Limit < 1:
		return &FaultError{"limit", "must be at least 1"}
	case f.Interval < 0:
		return &FaultError{"interval", "must not be negative"}
	case slices.Contains(effects[f.Effect].takes, "pointer") && leaf.Check(f.Pointer) != nil:
		return &FaultError{"pointer", leaf.ErrPointer.Error()}
	}
	return nil
}

// WithFaults injects faults from the beginning: see [Emulator.Inject]. [New] and [Start] panic where one of them makes no
// sense, with the [FaultError].
func WithFaults(faults ...Fault) Option {
	return func(s *settings) { s.faults = append(s.faults, faults...) }
}

// Inject puts a fault into effect, behind those that are in effect. The error is a [FaultError] where the fault makes no
// sense: an operation, a path parameter or an effect that does not exist, an argument that does not go with the effect.
func (e *Emulator) Inject(fault Fault) (*Injection, error) {
	if err := fault.check(e.operations); err != nil {
		return nil, err
	}
	value, err := json.Marshal(fault.Value)
	if err != nil {
		return nil, &FaultError{"value", "must have a form in JSON: " + err.Error()}
	}
	if fault.Value != nil {
		fault.Value = json.RawMessage(value) // The caller may change what it has given.
	}
	fault.Params = maps.Clone(fault.Params)
	return e.faults.add(fault, e.settings.seed), nil
}

// Faults returns the injections that are in effect, in their order.
func (e *Emulator) Faults() []*Injection {
	e.faults.mu.Lock()
	defer e.faults.mu.Unlock()
	return slices.Clone(e.faults.active)
}

// RemoveFaults ends all injections.
func (e *Emulator) RemoveFaults() {
	e.faults.mu.Lock()
	defer e.faults.mu.Unlock()
	e.faults.active = nil
}

// Injection is a fault in effect. It is safe for concurrent use.
type Injection struct {
	fault Fault
	id    int
	among *faults

	trigger trigger.Trigger // Guarded by faults.mu.
}

// Fault returns the fault.
func (i *Injection) Fault() Fault {
	fault := i.fault
	fault.Params = maps.Clone(fault.Params)
	return fault
}

// Fired returns how often the fault has happened.
func (i *Injection) Fired() int {
	i.among.mu.Lock()
	defer i.among.mu.Unlock()
	return i.trigger.Fired()
}

// Remove ends the injection. Requests that have met the fault before suffer it all the same.
func (i *Injection) Remove() {
	i.among.mu.Lock()
	defer i.among.mu.Unlock()
	i.among.active = slices.DeleteFunc(slices.Clone(i.among.active), func(other *Injection) bool { return other == i })
}

// giveBack takes back that the fault has happened.
func (i *Injection) giveBack() {
	i.among.mu.Lock()
	defer i.among.mu.Unlock()
	i.trigger.GiveBack()
}

// concerns reports whether a request is one of those that the fault is for.
func (i *Injection) concerns(a asked) bool {
	if i.fault.Operation != "" && i.fault.Operation != a.id() {
		return false
	}
	for name, value := range i.fault.Params {
		if got, has := a.params[name]; !has || got != value {
			return false
		}
	}
	return true
}

// faults are the injections of an emulator.
type faults struct {
	mu     sync.Mutex
	last   int
	active []*Injection
}

func (s *faults) add(f Fault, seed uint64) *Injection {
	if f.Seed != 0 {
		seed = f.Seed
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last++
	added := &Injection{fault: f, id: s.last, among: s, trigger: trigger.Trigger{
		After: f.After, Every: f.Every, Times: f.Times, Probability: f.Probability, Seed: seed,
	}}
	s.active = append(s.active, added)
	return added
}

// meet lets a request meet the faults. It returns how long the request is to wait, and the injection that decides what
// becomes of it, or nil.
func (s *faults) meet(a asked) (latency time.Duration, met *Injection) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, i := range s.active {
		if i.fault.breaks() && met != nil || !i.concerns(a) || !i.trigger.Fires() {
			continue
		}
		latency += i.fault.Latency
		if i.fault.breaks() {
			met = i
		}
	}
	return latency, met
}
