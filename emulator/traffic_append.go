package emulator

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/rpcfleet/rpcfleet-go/internal/redact"
)

// LoggedCall is a call that went through an endpoint. Only Method is needed; the rest is made up where it is zero.
type LoggedCall struct {
	// Timestamp is when the call came in, to the microsecond. It is the emulator's present where it is zero. An entry
	// may be older than entries that are there already, as one that arrives late is.
	Timestamp time.Time
	// RequestID is a time-based UUID that no other call of the endpoint has. It is made from the time where it is
	// empty.
	RequestID string
	// Method is the RPC method, which also decides what the call costs.
	Method string
	// Network is the slug of a network of the catalogue. It is the endpoint's own where it is empty.
	Network string
	// HTTPMethod is POST where it is empty.
	HTTPMethod string
	// Status is the HTTP status of the response, and 200 where it is 0.
	Status int
	// ErrorCode is the error code of the RPC call, or nil for one that succeeded.
	ErrorCode *int
	// URL is the address that was called. It is the endpoint's own where it is empty.
	URL string
	// Request and Response are JSON-RPC texts. Their lengths are the data that the call is metered with.
	Request, Response string
	// ResponseTime is how long the response took.
	ResponseTime time.Duration
	// Archive reports whether the call was on archived state. It costs the same here, and is counted apart by method.
	Archive bool
}

// Format prints the record.
func (c LoggedCall) Format(state fmt.State, _ rune) { redact.Record(state, c) }

// AppendLog logs calls of an endpoint and returns their request ids in the same order. Listings show them from then
// on, and metrics and usage count them. It logs all of the entries, or none when one is not acceptable, which the error
// then tells.
func (e *Emulator) AppendLog(endpointID string, entries ...LoggedCall) ([]string, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	endpoint, err := e.state.endpoint(endpointID)
	if err != nil {
		return nil, fmt.Errorf("emulator: %w", err)
	}
	log := e.state.traffic.of(endpoint)
	calls := make([]*call, 0, len(entries))
	taken := make(map[string]bool, len(entries))
	for i, entry := range entries {
		call, err := e.state.newCall(endpoint, entry)
		if err == nil && (taken[call.RequestID] || log.byID[call.RequestID] != nil) {
			err = errors.New("the RequestID is logged already")
		}
		if err != nil {
			return nil, fmt.Errorf("emulator: log entry %d: %w", i, err)
		}
		taken[call.RequestID] = true
		calls = append(calls, call)
	}
	ids := make([]string, 0, len(calls))
	for _, call := range calls {
		log.add(call)
		ids = append(ids, call.RequestID)
	}
	return ids, nil
}

// newCall fills in what an entry leaves out.
func (s *state) newCall(endpoint *endpoint, entry LoggedCall) (*call, error) {
	if entry.Method == "" {
		return nil, errors.New("the Method is missing")
	}
	if entry.ResponseTime < 0 {
		return nil, errors.New("the ResponseTime must not be negative")
	}
	if entry.Timestamp.IsZero() {
		entry.Timestamp = s.now()
	}
	entry.Timestamp = entry.Timestamp.UTC().Truncate(time.Microsecond)
	// Any year within these has a time-based UUID and a spelling in RFC 3339.
	if year := entry.Timestamp.Year(); year < 1970 || year > 5000 {
		return nil, errors.New("the Timestamp must be in the years 1970 to 5000")
	}
	if entry.RequestID == "" {
		s.traffic.logged++
		entry.RequestID = timeUUID(entry.Timestamp, s.traffic.logged)
	}
	entry.RequestID = strings.ToLower(entry.RequestID)
	if !isTimeUUID(entry.RequestID) {
		return nil, errors.New("the RequestID must be a time-based UUID")
	}
	chain, network := endpoint.chain, endpoint.network
	if entry.Network != "" {
		var known bool
		if chain, network, known = networkBySlug(entry.Network); !known {
			return nil, errors.New("the Network must be in the catalogue")
		}
	}
	entry.Network = network.slug
	if entry.HTTPMethod == "" {
		entry.HTTPMethod = "POST"
	}
	if entry.Status == 0 {
		entry.Status = 200
	}
	if entry.URL == "" {
		url, _ := endpoint.urlsOn(network)
		entry.URL = s.traffic.shared(url)
	}
	if entry.Request == "" {
		entry.Request = s.traffic.shared(rpcText(map[string]any{"method": entry.Method, "params": []any{}}))
	}
	if entry.Response == "" {
		response := rpcText(map[string]any{"result": nil})
		if entry.ErrorCode != nil {
			failure := map[string]any{"code": *entry.ErrorCode, "message": "the call failed"}
			response = rpcText(map[string]any{"error": failure})
		}
		entry.Response = s.traffic.shared(response)
	}
	bytes := int64(len(entry.Request) + len(entry.Response))
	return &call{LoggedCall: entry, chain: chain, used: used{chain.creditsOf(entry.Method), 1, bytes}}, nil
}

// rpcText makes a JSON-RPC text of a message, of which the version and the id are the same everywhere.
func rpcText(message map[string]any) string {
	message["jsonrpc"], message["id"] = "2.0", 1
	text, _ := json.Marshal(message) // Texts and numbers: this cannot fail.
	return string(text)
}

// networkBySlug finds a network of the catalogue, and its chain.
func networkBySlug(slug string) (*chain, *network, bool) {
	for chain, network := range everyNetwork {
		if network.slug == slug {
			return chain, network, true
		}
	}
	return nil, nil, false
}
