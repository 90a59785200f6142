package wire

import (
	"bytes"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/internal/envelope"
	"github.com/rpcfleet/rpcfleet-go/internal/operation"
)

// Request is what a call puts on the wire.
type Request struct {
	Operation *operation.Operation
	// PathParameters are the values of the path template's parameters, in their order.
	PathParameters []string
	Query          Query
	// Body is the record that becomes the JSON body, or nil.
	Body any
	// Chain is the chain that a query of the graph area is put to, or nil: its name is a part of the document.
	Chain *graph.Chain
}

// PathParameterName returns the name of a path parameter in the operation's template.
func (r *Request) PathParameterName(i int) string {
	_, rest, _ := strings.Cut(r.Operation.Path, "{")
	for range i {
		_, rest, _ = strings.Cut(rest, "{")
	}
	name, _, _ := strings.Cut(rest, "}")
	return name
}

// HTTP makes the request for the address of an area, whose path ends without a slash. A path parameter becomes one
// escaped part of the path, whatever is in it; the caller has refused those that no escaping keeps in their place. The
// request is a value, because the transport makes a copy of it, with a context, in any case. The headers are the
// transport's.
func (r *Request) HTTP(area *url.URL, style ListStyle) (http.Request, error) {
	address := *area
	r.setPath(&address)
	var err error
	if address.RawQuery, err = r.Query.encode(style); err != nil {
		return http.Request{}, err
	}
	req := http.Request{
		Method: r.Operation.Method, URL: &address, Header: http.Header{},
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
	}
	if r.Body == nil {
		return req, nil
	}
	content, err := envelope.EncodeRequest(r.Body)
	if err != nil {
		return http.Request{}, err
	}
	req.ContentLength = int64(len(content))
	req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(content)), nil }
	req.Body, err = req.GetBody()
	return req, err
}

// EscapedPath returns the path of the request below the address of its area, in its escaped form.
func (r *Request) EscapedPath() string { return r.fill("", url.PathEscape) }

// setPath puts the path of the request behind that of the area's address. An escaped form that net/url makes by itself
// is left to it.
func (r *Request) setPath(address *url.URL) {
	area := address.EscapedPath()
	plain := area == address.Path
	for _, value := range r.PathParameters {
		plain = plain && url.PathEscape(value) == value
	}
	address.Path, address.RawPath = r.fill(address.Path, func(value string) string { return value }), ""
	if !plain {
		address.RawPath = r.fill(area, url.PathEscape)
	} else if address.EscapedPath() != address.Path {
		address.RawPath = address.Path
	}
}

// fill returns the path of the request behind a prefix, with its parameters as spell spells them.
func (r *Request) fill(prefix string, spell func(string) string) string {
	var path strings.Builder
	path.Grow(len(prefix) + len(r.Operation.Path) + 32*len(r.PathParameters)) // Ids are mostly shorter.
	path.WriteString(prefix)
	rest := r.Operation.Path
	for _, value := range r.PathParameters {
		literal, after, _ := strings.Cut(rest, "{")
		path.WriteString(literal)
		path.WriteString(spell(value))
		_, rest, _ = strings.Cut(after, "}")
	}
	path.WriteString(rest)
	return path.String()
}

func number(value int64) string { return strconv.FormatInt(value, 10) }
