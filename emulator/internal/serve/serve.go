// Package serve reads requests for the handlers of an area's operations and writes their responses. The packages that
// are generated from the OpenAPI files define the operations, and the types of their requests and responses.
package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/go-chi/chi/v5"
	"github.com/oapi-codegen/runtime"
)

// Area has a router for its operations, and the form of their failures.
type Area struct {
	Router chi.Router
	// Prefix comes before the paths of the operations.
	Prefix string
	// Mounted is called for each operation, with the prefix in its path. It may be nil.
	Mounted func(Operation)
	// RefuseRequest writes the response to a request whose parameters or body cannot be read.
	RefuseRequest func(http.ResponseWriter, *http.Request, error)
	// Refuse writes the response to a request whose handler returned an error.
	Refuse func(http.ResponseWriter, *http.Request, error)
}

// Operation is an operation of the contract.
type Operation struct {
	// ID is the operation's id, such as "getEndpoint".
	ID string
	// Method and Path are its HTTP method, and the template of its path for the router.
	Method, Path string
	// Paging is its kind of paging: "none", "offset" or "cursor".
	Paging string
}

// Response is a response of the operation with this type of requests. The response of another operation does not fit.
type Response[Request any] interface {
	// RespondTo returns the status and the body of the response to a request. The body may be nil.
	RespondTo(Request) (status int, body any)
}

// Handle mounts one operation. read reads the request for the handler, and is nil if there is nothing to read.
func Handle[Request any](
	area Area, operation Operation,
	handler func(context.Context, Request) (Response[Request], error),
	read func(*Reader, *Request),
) {
	operation.Path = area.Prefix + operation.Path
	if area.Mounted != nil {
		area.Mounted(operation)
	}
	area.Router.MethodFunc(operation.Method, operation.Path, func(w http.ResponseWriter, r *http.Request) {
		var request Request
		if read != nil {
			in := &Reader{request: r, query: r.URL.Query()}
			read(in, &request)
			if in.err != nil {
				area.RefuseRequest(w, r, in.err)
				return
			}
		}
		response, err := handler(r.Context(), request)
		if err == nil {
			status, body := response.RespondTo(request)
			err = write(w, status, body)
		}
		if err != nil {
			area.Refuse(w, r, err)
		}
	})
}

// write writes a response, or nothing if its body cannot be encoded.
func write(w http.ResponseWriter, status int, body any) error {
	if body == nil {
		w.WriteHeader(status)
		return nil
	}
	var encoded bytes.Buffer
	if err := json.NewEncoder(&encoded).Encode(body); err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, err := encoded.WriteTo(w)
	return err
}

// Need reports whether a part of a request is required.
type Need bool

// A part of a request is required or optional.
const (
	Required Need = true
	Optional Need = false
)

// Reader reads the parts of a request. It stops at the first part that it cannot read.
type Reader struct {
	request *http.Request
	query   url.Values
	err     error
}

// Path reads a path parameter.
func (in *Reader) Path(name string, into any) {
	if in.err != nil {
		return
	}
	in.note(name, runtime.BindStyledParameterWithOptions("simple", name, chi.URLParam(in.request, name), into,
		runtime.BindStyledParameterOptions{
			ParamLocation: runtime.ParamLocationPath, Required: true, ValueIsUnescaped: in.request.URL.RawPath == "",
		}))
}

// Query reads a query parameter with one value.
func (in *Reader) Query(name string, need Need, into any) {
	if in.err != nil {
		return
	}
	in.note(name, runtime.BindQueryParameterWithOptions(
		"form", true, bool(need), name, in.query, into, runtime.BindQueryParameterOptions{}))
}

// QueryArray reads a query parameter with several values: its name is repeated, with or without brackets, or its values
// are joined with commas. The service's own clients do not agree on one form. A percent-encoded comma is part of a
// value.
func (in *Reader) QueryArray(name string, need Need, into any) {
	var values []string
	for pair := range strings.SplitSeq(in.request.URL.RawQuery, "&") {
		key, joined, _ := strings.Cut(pair, "=")
		if key, err := url.QueryUnescape(key); err != nil || strings.TrimSuffix(key, "[]") != name {
			continue
		}
		for value := range strings.SplitSeq(joined, ",") {
			if value, err := url.QueryUnescape(value); err == nil { // url.URL.Query ignores an error too.
				values = append(values, value)
			}
		}
	}
	if len(values) > 0 {
		in.query[name] = values
	}
	in.Query(name, need, into)
}

// note keeps the error of a parameter, in the words of the generator's own server.
func (in *Reader) note(name string, err error) {
	var missing *runtime.RequiredParameterError
	switch {
	case errors.As(err, &missing):
		in.err = errors.New("Query argument " + name + " is required, but not found") //nolint:staticcheck // See above.
	case err != nil:
		in.err = fmt.Errorf("Invalid format for parameter %s: %w", name, err) //nolint:staticcheck // See above.
	}
}

// Body reads a JSON body. An optional one that was left out stays nil.
func Body[T any](in *Reader, need Need, into **T) {
	if in.err != nil {
		return
	}
	body := new(T)
	switch err := json.NewDecoder(in.request.Body).Decode(body); {
	case err == nil:
		*into = body
	case need == Required || !errors.Is(err, io.EOF):
		in.err = fmt.Errorf("can't decode JSON body: %w", err)
	}
}
