package emulator

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/go-chi/chi/v5"

	"github.com/rpcfleet/rpcfleet-go/emulator/fleet"
)

// controlPath is the prefix of the control routes. No operation has it.
const controlPath = "/_emulator"

// maxControlBody is the largest body that the control routes read.
const maxControlBody = 8 << 20

func isControl(r *http.Request) bool {
	return r.URL.Path == controlPath || strings.HasPrefix(r.URL.Path, controlPath+"/")
}

// controlError is the body of a failure.
type controlError struct {
	Error string `json:"error"`
}

// controlList is the body of a list.
type controlList[T any] struct {
	Data []T `json:"data"`
}

// newControl makes the control routes.
func (e *Emulator) newControl() http.Handler {
	router := chi.NewRouter()
	router.Route(controlPath, func(router chi.Router) {
		router.Get("/health", func(w http.ResponseWriter, _ *http.Request) {
			writeJSON(w, http.StatusOK, map[string]string{"status": "ok"})
		})
		router.Group(func(router chi.Router) {
			router.Use(e.requireControlKey)
			router.Post("/reset", e.controlReset)
			router.Post("/faults", e.controlInject)
			router.Get("/faults", func(w http.ResponseWriter, _ *http.Request) {
				list := controlList[shownInjection]{Data: []shownInjection{}}
				for _, injection := range e.Faults() {
					list.Data = append(list.Data, injection.shown())
				}
				writeJSON(w, http.StatusOK, list)
			})
			router.Delete("/faults", func(w http.ResponseWriter, _ *http.Request) {
				e.RemoveFaults()
				w.WriteHeader(http.StatusNoContent)
			})
			router.Get("/faults/{id}", e.withInjection(func(w http.ResponseWriter, injection *Injection) {
				writeJSON(w, http.StatusOK, injection.shown())
			}))
			router.Delete("/faults/{id}", e.withInjection(func(w http.ResponseWriter, injection *Injection) {
				injection.Remove()
				w.WriteHeader(http.StatusNoContent)
			}))
			router.Get("/calls", e.controlCalls)
			router.Delete("/calls", func(w http.ResponseWriter, _ *http.Request) {
				e.ResetCalls()
				w.WriteHeader(http.StatusNoContent)
			})
			router.Post("/endpoints/{id}/logs", e.controlLogs)
			router.Post("/notifications/{id}/deliver", e.controlDeliver)
		})
	})
	return router
}

// requireControlKey refuses callers without the administrator's key, so that a page in a browser that finds the port
// can do nothing.
func (e *Emulator) requireControlKey(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if e.roleOf(r.Header.Get("X-Api-Key")) != administrator {
			writeJSON(w, http.StatusUnauthorized, controlError{"the administrator's key is required in X-Api-Key"})
			return
		}
		next.ServeHTTP(w, r)
	})
}

// readControl decodes a body. If it cannot, it responds and returns false.
func readControl(w http.ResponseWriter, r *http.Request, form string, into any) bool {
	decoder := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxControlBody))
	decoder.DisallowUnknownFields()
	err := decoder.Decode(into)
	if err == nil {
		return true
	}
	reason := "the body must be " + form + " in JSON: " + err.Error()
	if wrong := (*FaultError)(nil); errors.As(err, &wrong) {
		reason = wrong.Error()
	}
	writeJSON(w, http.StatusBadRequest, controlError{reason})
	return false
}

// controlFailed responds with an error: an unknown thing is a 404, anything else a 400.
func controlFailed(w http.ResponseWriter, err error) {
	status := http.StatusBadRequest
	if refused := (*refusal)(nil); errors.As(err, &refused) {
		status = refused.status
	}
	writeJSON(w, status, controlError{err.Error()})
}

// controlReset resets the emulator. A body is a fleet to begin with. If the fleet is invalid, nothing is reset.
func (e *Emulator) controlReset(w http.ResponseWriter, r *http.Request) {
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxControlBody))
	var given fleet.Fleet
	if err == nil && len(text) > 0 {
		if given, err = fleet.Read(strings.NewReader(string(text))); err == nil {
			_, err = New(func(s *settings) { *s = e.settings }).Populate(given)
		}
	}
	if err != nil {
		writeJSON(w, http.StatusBadRequest, controlError{err.Error()})
		return
	}
	e.Reset()
	_, _ = e.Populate(given) // It was valid for an emulator with the same settings.
	w.WriteHeader(http.StatusNoContent)
}

// shownInjection is the JSON form of an injection.
type shownInjection struct {
	ID    int   `json:"id"`
	Fired int   `json:"fired"`
	Fault Fault `json:"fault"`
}

func (i *Injection) shown() shownInjection {
	return shownInjection{ID: i.id, Fired: i.Fired(), Fault: i.Fault()}
}

func (e *Emulator) controlInject(w http.ResponseWriter, r *http.Request) {
	var fault Fault
	if !readControl(w, r, "a fault", &fault) {
		return
	}
	injection, err := e.Inject(fault)
	if err != nil {
		controlFailed(w, err)
		return
	}
	writeJSON(w, http.StatusCreated, injection.shown())
}

// withInjection finds the injection in the path.
func (e *Emulator) withInjection(use func(http.ResponseWriter, *Injection)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		injection, err := byID(e.Faults(), "injection", chi.URLParam(r, "id"),
			func(i *Injection) string { return strconv.Itoa(i.id) })
		if err != nil {
			controlFailed(w, err)
			return
		}
		use(w, injection)
	}
}

func (e *Emulator) controlCalls(w http.ResponseWriter, r *http.Request) {
	operations := r.URL.Query()["operation"]
	for _, id := range operations {
		if e.operations.byID[id] == nil {
			writeJSON(w, http.StatusBadRequest, controlError{"operation must be the id of one: " + id})
			return
		}
	}
	writeJSON(w, http.StatusOK, controlList[Call]{append([]Call{}, e.Calls(operations...)...)})
}

func (e *Emulator) controlLogs(w http.ResponseWriter, r *http.Request) {
	var entries []LoggedCall
	if !readControl(w, r, "an array of calls", &entries) {
		return
	}
	ids, err := e.AppendLog(chi.URLParam(r, "id"), entries...)
	if err != nil {
		controlFailed(w, err)
		return
	}
	writeJSON(w, http.StatusCreated, controlList[string]{ids})
}

func (e *Emulator) controlDeliver(w http.ResponseWriter, r *http.Request) {
	var body struct{ Block int64 }
	if !readControl(w, r, `an object such as {"block": 7}`, &body) {
		return
	}
	outcomes, err := e.Deliver(r.Context(), chi.URLParam(r, "id"), body.Block)
	if err != nil {
		controlFailed(w, err)
		return
	}
	type shownOutcome struct {
		EventID       string `json:"eventId"`
		DestinationID string `json:"destinationId"`
		Status        int    `json:"status"`
		Error         string `json:"error,omitempty"`
	}
	list := controlList[shownOutcome]{Data: []shownOutcome{}}
	for _, o := range outcomes {
		shown := shownOutcome{EventID: o.EventID, DestinationID: o.DestinationID, Status: o.Status}
		if o.Err != nil {
			shown.Error = o.Err.Error()
		}
		list.Data = append(list.Data, shown)
	}
	writeJSON(w, http.StatusOK, list)
}
