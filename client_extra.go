package rpcfleet

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/envelope"
	"github.com/rpcfleet/rpcfleet-go/internal/transport"
)

// extras are what options add to the requests of a call. They are shared between calls and never changed.
type extras struct {
	header http.Header
	query  []queryParam
	// members are in the order of the options: of two of one name, the later one is sent.
	members []envelope.Member
}

type queryParam struct{ name, value string }

// with returns extras that have more than these, which may be nil.
func (e *extras) with(add func(*extras)) *extras {
	var more extras
	if e != nil {
		more = extras{maps.Clone(e.header), slices.Clip(e.query), slices.Clip(e.members)}
	}
	if more.header == nil {
		more.header = http.Header{}
	}
	add(&more)
	return &more
}

// secrets are the values of headers that must not appear in an error.
func (e *extras) secrets() (secrets []string) {
	if e == nil {
		return nil
	}
	for name, values := range e.header {
		if len(values[0]) > shortHeader && !isRequestID(name) && !isMediaType(name) {
			secrets = append(secrets, values[0])
		}
	}
	return secrets
}

// addTo adds the extras to a call.
func (e *extras) addTo(call *transport.Call) *ValidationError {
	call.Header = e.header
	if _, typed := e.header["Content-Type"]; typed && len(call.Body) == 0 {
		call.Header = maps.Clone(e.header)
		delete(call.Header, "Content-Type")
	}
	if broken := e.addQuery(call.Address, call.Operation); broken != nil {
		return broken
	}
	return e.addMembers(call)
}

// pagingParams are the query parameters by which listings are divided into pages.
var pagingParams = map[string][]string{
	api.PagingOffset: {"limit", "offset"},
	api.PagingCursor: {"limit", "next_at"},
}

// addQuery puts the query parameters in the place of those of the same names.
func (e *extras) addQuery(address *url.URL, op *api.Operation) *ValidationError {
	if len(e.query) == 0 {
		return nil
	}
	replaced := map[string]bool{}
	var added []string
	for _, param := range e.query {
		if slices.Contains(pagingParams[op.Paging], param.name) {
			return &ValidationError{Field: "query parameter", Rule: "must not divide the listing: that is up to the method", Value: param.name}
		}
		name := url.QueryEscape(param.name)
		replaced[name] = true
		added = append(added, name+"="+url.QueryEscape(param.value))
	}
	var kept []string
	for pair := range strings.SplitSeq(address.RawQuery, "&") {
		if name, _, _ := strings.Cut(pair, "="); pair != "" && !replaced[name] {
			kept = append(kept, pair)
		}
	}
	address.RawQuery = strings.Join(append(kept, added...), "&")
	return nil
}

// addMembers puts the members into the body.
func (e *extras) addMembers(call *transport.Call) *ValidationError {
	if len(e.members) == 0 {
		return nil
	}
	broken := &ValidationError{Field: "body member", Rule: "must not be given: the call has no body", Value: e.members[0].Name}
	if len(call.Body) == 0 {
		return broken
	}
	if call.Operation.Area == api.AreaGraph {
		broken.Rule = "must not be given: a query's own parts are its document and its variables"
		return broken
	}
	body, err := envelope.SetMembers(call.Body, e.members)
	if err != nil {
		broken.Rule = "must not be given: the body is no object"
		return broken
	}
	call.Body = body
	return nil
}
