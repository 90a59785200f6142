package api

import "net/url"

// Request is a request before it is sent.
type Request struct {
	Operation *Operation
	// Path is the escaped path, relative to the address of the area.
	Path  string
	Query Query
	// Body is the record that becomes the JSON body, or nil.
	Body any
	// Violation is the first rule that the arguments break, or nil. A request with an invalid path is never sent.
	Violation *Violation
}

// NewRequest returns a request of an operation, with values for the parameters of the path template in their order.
// Each is escaped as one path segment and validated.
func NewRequest(op *Operation, values ...string) Request {
	return Request{Operation: op, Path: fillPath(op.Path, values), Violation: checkPath(op, values)}
}

// Address returns the URL of the request, based on the URL of an area, which must not end with a slash. RawPath is set
// only if it differs from the default encoding of net/url.
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
