package emulator

import (
	"cmp"
	"encoding/json"
	"errors"
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

// newControl makes the control routes. A handler returns the body of a success.
func (e *Emulator) newControl() http.Handler {
	router := http.NewServeMux()
	for pattern, route := range map[string]struct {
		status  int
		handler func(*http.Request) (any, error)
	}{
		"POST /reset":                      {http.StatusNoContent, func(*http.Request) (any, error) { e.Reset(); return nil, nil }},
		"POST /faults":                     {http.StatusCreated, e.controlInject},
		"GET /faults":                      {http.StatusOK, e.controlFaults},
		"DELETE /faults":                   {http.StatusNoContent, func(*http.Request) (any, error) { e.RemoveFaults(); return nil, nil }},
		"GET /calls":                       {http.StatusOK, e.controlCalls},
		"DELETE /calls":                    {http.StatusNoContent, func(*http.Request) (any, error) { e.ResetCalls(); return nil, nil }},
		"POST /endpoints":                  {http.StatusCreated, e.controlEndpoint},
		"POST /users/{id}/accept":          {http.StatusNoContent, e.controlAccept},
		"POST /endpoints/{id}/logs":        {http.StatusCreated, e.controlLogs},
		"POST /notifications/{id}/deliver": {http.StatusOK, e.controlDeliver},
	} {
		pattern = strings.Replace(pattern, " ", " "+controlPath, 1)
		router.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			// A page in a browser that finds the port can do nothing without the key.
			if e.roleOf(r.Header.Get("X-Api-Key")) != administrator {
				rejectControl(w, http.StatusUnauthorized, "the administrator's key is required in X-Api-Key")
				return
			}
			r.Body = http.MaxBytesReader(w, cmp.Or[io.ReadCloser](r.Body, http.NoBody), maxRequestBody)
			body, err := route.handler(r)
			failed := &serve.Error{Status: http.StatusBadRequest}
			errors.As(err, &failed) // An unknown id has a status of its own.
			switch {
			case err != nil:
				rejectControl(w, failed.Status, err.Error())
			case body == nil:
				w.WriteHeader(route.status)
			default:
				writeJSON(w, route.status, body)
			}
		})
	}
	router.HandleFunc("GET "+controlPath+"/health", func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, http.StatusOK, map[string]string{"status": "ok"})
	})
	return router
}

func rejectControl(w http.ResponseWriter, status int, reason string) {
	writeJSON(w, status, map[string]string{"error": reason})
}

// readControl decodes a body of a form.
func readControl(r *http.Request, form string, into any) error {
	decoder := json.NewDecoder(r.Body)
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return errors.New("the body must be " + form + " in JSON: " + err.Error())
	}
	return nil
}

// shown is the JSON form of an injection.
func (i *Injection) shown() any {
	return map[string]any{"id": i.id, "fired": i.Fired(), "fault": i.Fault()}
}

// controlList is the body of a list.
func controlList[T any](list []T) any { return map[string]any{"data": append([]T{}, list...)} }

func (e *Emulator) controlInject(r *http.Request) (any, error) {
	var fault Fault
	if err := readControl(r, "a fault", &fault); err != nil {
		return nil, err
	}
	injection, err := e.Inject(fault)
	if err != nil {
		return nil, err
	}
	return injection.shown(), nil
}

func (e *Emulator) controlFaults(*http.Request) (any, error) {
	return controlList(each(e.Faults(), (*Injection).shown)), nil
}

func (e *Emulator) controlCalls(r *http.Request) (any, error) {
	operations := r.URL.Query()["operation"]
	for _, id := range operations {
		if e.operations.byID[id] == nil {
			return nil, errors.New("operation must be the id of one: " + id)
		}
	}
	return controlList(e.Calls(operations...)), nil
}

func (e *Emulator) controlEndpoint(r *http.Request) (any, error) {
	var spec EndpointSpec
	if err := readControl(r, "an endpoint", &spec); err != nil {
		return nil, err
	}
	id, err := e.AddEndpoint(spec)
	return map[string]any{"data": map[string]string{"id": id}}, err
}

func (e *Emulator) controlAccept(r *http.Request) (any, error) {
	id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	return nil, cmp.Or(err, e.AcceptInvitation(id))
}

func (e *Emulator) controlLogs(r *http.Request) (any, error) {
	var entries []LoggedCall
	if err := readControl(r, "an array of calls", &entries); err != nil {
		return nil, err
	}
	ids, err := e.AppendLog(r.PathValue("id"), entries...)
	return controlList(ids), err
}

func (e *Emulator) controlDeliver(r *http.Request) (any, error) {
	var body struct{ Block int64 }
	if err := readControl(r, `an object such as {"block": 7}`, &body); err != nil {
		return nil, err
	}
	outcomes, err := e.Deliver(r.Context(), r.PathValue("id"), body.Block)
	return controlList(each(outcomes, func(o DeliveryOutcome) any {
		shown := map[string]any{"eventId": o.EventID, "destinationId": o.DestinationID, "status": o.Status}
		if o.Err != nil {
			shown["error"] = o.Err.Error()
		}
		return shown
	})), err
}
