package api

import "net/url"

// Request is what a call puts on the wire.
type Request struct {
	Operation *Operation
	// Path is the path below the address of the area, in its escaped form.
	Path  string
	Query Query
	// Body is the record that becomes the JSON body, or nil.
	Body any
	// Broken is the first rule that the arguments break, or nil. A request that breaks one of the path is never sent.
	Broken *Broken
}

// NewRequest makes a request of an operation, with the values of the path template's parameters in their order. Each
// becomes one part of the path, whatever is in it, unless it breaks a rule.
func NewRequest(op *Operation, values ...string) Request {
	return Request{Operation: op, Path: fillPath(op.Path, values), Broken: checkPath(op, values)}
}

// Address returns where the request goes, at the address of an area, whose path ends without a slash. An escaped form
// that net/url makes by itself is left to it.
func (r *Request) Address(area *url.URL, style ListStyle) (url.URL, error) {
	query, err := r.Query.encode(style)
	if err != nil {
		return url.URL{}, err
	}
	path, err := url.PathUnescape(r.Path)
	if err != nil {
		return url.URL{}, err
	}
	address := *area
	address.Path, address.RawPath, address.RawQuery = area.Path+path, "", query
	if escaped := area.EscapedPath(); escaped != area.Path || path != r.Path {
		address.RawPath = escaped + r.Path
	} else if address.EscapedPath() != address.Path {
		address.RawPath = address.Path
	}
	return address, nil
}
