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
	// RefuseRequest writes the response to a request whose parameters or body cannot be read.
	RefuseRequest func(http.ResponseWriter, *http.Request, error)
	// Refuse writes the response to a request whose handler returned an error.
	Refuse func(http.ResponseWriter, *http.Request, error)
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
	area Area, method, path string,
	handler func(context.Context, Request) (Response[Request], error),
	read func(*Reader, *Request),
) {
	area.Router.MethodFunc(method, area.Prefix+path, func(w http.ResponseWriter, r *http.Request) {
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
