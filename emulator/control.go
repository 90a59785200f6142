package emulator

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/serve"
)

// controlPath is the prefix of the control routes. No operation has it.
const controlPath = "/_emulator"

func isControl(r *http.Request) bool {
	return r.URL.Path == controlPath || strings.HasPrefix(r.URL.Path, controlPath+"/")
}

// newControl makes the control routes: see WithAdminAPI. A handler returns the body of a success.
func (e *Emulator) newControl() http.Handler {
	router := http.NewServeMux()
	for pattern, handler := range map[string]func(*http.Request) (any, error){
		"GET /health":    func(*http.Request) (any, error) { return map[string]string{"status": "ok"}, nil },
		"POST /reset":    func(*http.Request) (any, error) { e.Reset(); return nil, nil },
		"GET /faults":    func(*http.Request) (any, error) { return listOf(e.Faults()), nil },
		"DELETE /faults": func(*http.Request) (any, error) { e.RemoveFaults(); return nil, nil },
		"DELETE /calls":  func(*http.Request) (any, error) { e.ResetCalls(); return nil, nil },
		"GET /calls":     e.controlCalls,
		"POST /faults": withBody("a fault", func(_ *http.Request, fault Fault) (any, error) {
			return e.Inject(fault)
		}),
		"POST /endpoints": withBody("an endpoint", func(_ *http.Request, spec EndpointSpec) (any, error) {
			id, err := e.AddEndpoint(spec)
			return map[string]string{"id": id}, err
		}),
		"POST /endpoints/{id}/logs": withBody("an array of calls", func(r *http.Request, calls []LoggedCall) (any, error) {
			ids, err := e.AppendLog(r.PathValue("id"), calls...)
			return listOf(ids), err
		}),
		"POST /users/{id}/accept": func(r *http.Request) (any, error) {
			id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
			return nil, cmp.Or(err, e.AcceptInvitation(id))
		},
		"POST /notifications/{id}/deliver": withBody(oneBlock, func(r *http.Request, at blockNumber) (any, error) {
			outcomes, err := e.Deliver(r.Context(), r.PathValue("id"), at.Block)
			return listOf(outcomes), err
		}),
		"POST /networks/{network}/deliver": withBody(oneBlock, func(r *http.Request, at blockNumber) (any, error) {
			made, err := e.DeliverBlocks(r.Context(), r.PathValue("network"), at.Block)
			return listOf(made), err
		}),
	} {
		router.HandleFunc(strings.Replace(pattern, " ", " "+controlPath, 1), func(w http.ResponseWriter, r *http.Request) {
			// A page in a browser that finds the port can do nothing without the key.
			if !e.administers(r) && pattern != "GET /health" {
				writeJSON(w, http.StatusUnauthorized, map[string]string{"error": "the administrator's key is required in X-Api-Key"})
				return
			}
			r.Body = http.MaxBytesReader(w, cmp.Or[io.ReadCloser](r.Body, http.NoBody), maxRequestBody)
			body, err := handler(r)
			failed := &serve.Error{Status: http.StatusBadRequest}
			errors.As(err, &failed) // An unknown id has a status of its own.
			switch {
			case err != nil:
				writeJSON(w, failed.Status, map[string]string{"error": err.Error()})
			case body == nil:
				w.WriteHeader(http.StatusNoContent)
			default:
				writeJSON(w, http.StatusOK, body)
			}
		})
	}
	return router
}

// withBody makes a handler of requests with a body of a form in JSON.
func withBody[T any](form string, handle func(*http.Request, T) (any, error)) func(*http.Request) (any, error) {
	return func(r *http.Request) (any, error) {
		var body T
		decoder := json.NewDecoder(r.Body)
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&body); err != nil {
			return nil, fmt.Errorf("the body must be %s in JSON: %w", form, err)
		}
		return handle(r, body)
	}
}

type blockNumber struct{ Block int64 }

const oneBlock = `an object such as {"block": 7}`

// listOf is the body of a list.
func listOf[T any](list []T) any { return map[string]any{"data": append([]T{}, list...)} }

func (e *Emulator) controlCalls(r *http.Request) (any, error) {
	operations := r.URL.Query()["operation"]
	for _, id := range operations {
		if e.operations.byID[id] == nil {
			return nil, errors.New("operation must be the id of one: " + id)
		}
	}
	return listOf(e.Calls(operations...)), nil
}
