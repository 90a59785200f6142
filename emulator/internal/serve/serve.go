// Package serve carries requests to the handlers of an area's operations, and their responses back. The packages that
// are generated from the OpenAPI files say which operations there are, what a handler of each is given, and what it may
// return.
package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"

	"github.com/go-chi/chi/v5"
)

// Area is where operations are mounted, and how their failures are written.
type Area struct {
	Router chi.Router
	// Prefix stands before the paths of the operations.
	Prefix string
	// Mounted is told of each operation, with the prefix in its path. It may be nil.
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
	// Method and Path are its HTTP method, and the template of its path as the router takes it.
	Method, Path string
	// Paging is how it divides a long response: "none", "offset" or "cursor".
	Paging string
}

// Response is what the handler of an operation returns. It is bound to the type of the operation's requests, so that
// the response of another operation does not fit.
type Response[Request any] interface {
	// RespondTo returns the status and the body of the response to a request. The body is nil where there is none.
	RespondTo(Request) (status int, body any)
}

// Handle mounts one operation. The handler gets what read makes of a request; read is nil where there is nothing to
// read.
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
			in := newReader(r)
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

// write writes a response, or nothing when its body cannot be encoded.
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
