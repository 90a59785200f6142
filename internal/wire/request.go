package wire

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/internal/envelope"
	"github.com/rpcfleet/rpcfleet-go/internal/operation"
)

// Request is what a call puts on the wire.
type Request struct {
	Operation      *operation.Operation
	PathParameters PathParameters
	Query          Query
	// Body is the record that becomes the JSON body, or nil.
	Body any
	// Chain is the chain that a query of the graph area is put to, or nil: its name is a part of the document.
	Chain *graph.Chain
	// body makes the body of such a query, or is nil.
	body func(graph.Chain) (GraphBody, error)
}

// PathParameters are the values of a path template's parameters, in their order. They are a part of the request, so that
// they are no allocation of their own.
type PathParameters struct {
	few   [2]string // No path of the contract has more.
	count int
	many  []string // Where there are more.
}

// PathOf makes the parameters of any path.
func PathOf(values []string) PathParameters {
	return PathParameters{count: len(values), many: values}
}

// path makes the parameters of a path.
func path(values ...string) PathParameters {
	var p PathParameters
	p.count = copy(p.few[:], values)
	return p
}

// Values returns the values.
func (p *PathParameters) Values() []string {
	if p.many != nil {
		return p.many
	}
	return p.few[:p.count]
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

// Address returns where the request goes, at the address of an area, whose path ends without a slash. A path parameter
// becomes one escaped part of the path, whatever is in it; the caller has refused those that no escaping keeps in their
// place.
func (r *Request) Address(area *url.URL, style ListStyle) (*url.URL, error) {
	query, err := r.Query.encode(style)
	if err != nil {
		return nil, err
	}
	address := *area
	r.setPath(&address)
	address.RawQuery = query
	return &address, nil
}

// Content returns the body as it is sent, with the secrets in it. It is empty where there is none.
func (r *Request) Content() ([]byte, error) {
	body := r.Body
	if r.body != nil {
		made, err := r.body(*r.Chain)
		if err != nil {
			return nil, err
		}
		body = made
	}
	if body == nil {
		return nil, nil
	}
	return envelope.EncodeRequest(body)
}

// EscapedPath returns the path of the request below the address of its area, in its escaped form.
func (r *Request) EscapedPath() string { return r.fill("", url.PathEscape) }

// setPath puts the path of the request behind that of the area's address. An escaped form that net/url makes by itself
// is left to it.
func (r *Request) setPath(address *url.URL) {
	area := address.EscapedPath()
	plain := area == address.Path
	for _, value := range r.PathParameters.Values() {
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
	var text strings.Builder
	text.Grow(len(prefix) + len(r.Operation.Path) + 32*r.PathParameters.count) // Ids are mostly shorter.
	text.WriteString(prefix)
	rest := r.Operation.Path
	for _, value := range r.PathParameters.Values() {
		literal, after, _ := strings.Cut(rest, "{")
		text.WriteString(literal)
		text.WriteString(spell(value))
		_, rest, _ = strings.Cut(after, "}")
	}
	text.WriteString(rest)
	return text.String()
}

func number(value int64) string { return strconv.FormatInt(value, 10) }
