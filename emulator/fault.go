package emulator

import "time"

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
