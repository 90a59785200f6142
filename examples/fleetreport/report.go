package main

import (
	"strconv"
	"time"
)

// report is what there is to tell, ready to be written in any form. It has no addresses of endpoints, nor parts of them:
// where nothing protects an endpoint, its address is all that it takes.
type report struct {
	// From and To enclose the period. What was used is counted within it.
	From      time.Time   `json:"from"`
	To        time.Time   `json:"to"`
	Period    string      `json:"period"`
	Findings  []finding   `json:"findings"`
	Credits   credits     `json:"credits"`
	Errors    []moment    `json:"errors_over_time"`
	Endpoints []*endpoint `json:"endpoints"`
}

// finding is something that somebody should look at.
type finding struct {
	Urgent  bool     `json:"urgent"`
	Finding string   `json:"finding"`
	Meaning string   `json:"meaning"`
	IDs     []string `json:"endpoint_ids,omitempty"`
	// Names are how people call the endpoints.
	Names []string `json:"-"`
}

// credits are the credits used within the period.
type credits struct {
	Total   int64   `json:"total"`
	ByTag   []share `json:"by_tag"`
	ByChain []share `json:"by_chain"`
	// Unlisted is what endpoints used that are not listed any more.
	Unlisted int64 `json:"unlisted_endpoints"`
}

// share is the part that one thing has in the credits.
type share struct {
	Name    string `json:"name"`
	Credits int64  `json:"credits"`
}

// moment is a step of time, with the calls of all endpoints in it.
type moment struct {
	Time time.Time `json:"time"`
	traffic
}

// traffic is how many calls there were, and how many of them failed.
type traffic struct {
	Calls  float64 `json:"calls"`
	Failed float64 `json:"failed"`
}

// rate is how much of the traffic failed, in percent. It is false without any traffic.
func (t traffic) rate() (float64, bool) {
	if t.Calls <= 0 {
		return 0, false
	}
	return min(t.Failed/t.Calls, 1) * 100, true
}

// endpoint is one endpoint.
type endpoint struct {
	ID         string     `json:"id"`
	Label      string     `json:"label"`
	Chain      string     `json:"chain"`
	Network    string     `json:"network"`
	Status     string     `json:"status"`
	Dedicated  bool       `json:"dedicated"`
	Multichain bool       `json:"multichain"`
	Tags       []string   `json:"tags"`
	Protection protection `json:"protection"`
	Limits     limits     `json:"limits"`
	Credits    int64      `json:"credits"`
	Requests   int64      `json:"requests"`
	Measured   traffic    `json:"measured"`
}

// name is how people call an endpoint.
func (e *endpoint) name() string {
	if e.Label != "" {
		return e.Label
	}
	return e.ID
}

// limits are the limits in force. One of nil was not told.
type limits struct {
	RPS *limit `json:"rps"`
	RPM *limit `json:"rpm"`
	RPD *limit `json:"rpd"`
	// Methods is the number of limits for single methods that are switched on.
	Methods int `json:"methods"`
}

// limit is a number of requests, or unlimited.
type limit struct {
	Requests  *int `json:"requests,omitempty"`
	Unlimited bool `json:"unlimited,omitempty"`
}

// String implements fmt.Stringer.
func (l *limit) String() string {
	switch {
	case l != nil && l.Unlimited:
		return "unlimited"
	case l != nil && l.Requests != nil:
		return strconv.Itoa(*l.Requests)
	}
	return ""
}
