package emulator

import (
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/go-chi/chi/v5"
)

// controlPath is where an emulator is told what to do. No operation is below it.
const controlPath = "/_emulator"

// WithControl lets programs in any language inject faults and see what was asked, over HTTP and with the
// administrator's key in X-Api-Key:
//
//	POST   /_emulator/faults        injects the fault in the body, a [Fault] in JSON: 201 with its injection
//	GET    /_emulator/faults        lists the injections: {"data": [{"id": 1, "fired": 2, "fault": {…}}]}
//	GET    /_emulator/faults/{id}   is one of them
//	DELETE /_emulator/faults/{id}   ends one: 204
//	DELETE /_emulator/faults        ends all: 204
//	GET    /_emulator/calls         lists the calls so far, each as [Call]: ?operation=… picks some, and may be repeated
//	DELETE /_emulator/calls         forgets them: 204
//
// What makes no sense gets a 400, and an injection that is not there a 404, with {"error": "…"}. Requests to these
// routes meet no faults, and are neither recorded nor observed.
func WithControl() Option { return func(s *settings) { s.controlled = true } }

func isControl(r *http.Request) bool {
	return r.URL.Path == controlPath || strings.HasPrefix(r.URL.Path, controlPath+"/")
}

// newControl lays out the routes of control.
func (e *Emulator) newControl() http.Handler {
	router := chi.NewRouter()
	router.Route(controlPath, func(router chi.Router) {
		router.Use(e.requireControl)
		e.controlFaults(router)
		router.Get("/calls", func(w http.ResponseWriter, r *http.Request) {
			operations := r.URL.Query()["operation"]
			for _, id := range operations {
				if e.operations.byID[id] == nil {
					controlled(w, http.StatusBadRequest, controlError{"operation must be the id of one: " + id})
					return
				}
			}
			controlled(w, http.StatusOK, controlList[Call]{append([]Call{}, e.Calls(operations...)...)})
		})
		router.Delete("/calls", func(w http.ResponseWriter, _ *http.Request) {
			e.ResetCalls()
			w.WriteHeader(http.StatusNoContent)
		})
	})
	return router
}

// requireControl refuses callers that are no administrators, so that a page in a browser that finds the port can do
// nothing.
func (e *Emulator) requireControl(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if e.roleOf(r.Header.Get("X-Api-Key")) != administrator {
			controlled(w, http.StatusUnauthorized, controlError{"the administrator's key is required in X-Api-Key"})
			return
		}
		next.ServeHTTP(w, r)
	})
}

type controlError struct {
	Error string `json:"error"`
}

type controlList[T any] struct {
	Data []T `json:"data"`
}

// controlled writes a response of control.
func controlled(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // A client that has gone away needs no response.
}

// injected is an injection as control shows it.
type injected struct {
	ID    int   `json:"id"`
	Fired int   `json:"fired"`
	Fault Fault `json:"fault"`
}

func (i *Injection) shown() injected { return injected{ID: i.id, Fired: i.Fired(), Fault: i.Fault()} }

// maxFault is the largest fault that control takes.
const maxFault = 1 << 20

// controlFaults adds the routes of faults.
func (e *Emulator) controlFaults(router chi.Router) {
	router.Post("/faults", func(w http.ResponseWriter, r *http.Request) {
		var fault Fault
		err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxFault)).Decode(&fault)
		var wrong *FaultError
		if err != nil && !errors.As(err, &wrong) {
			controlled(w, http.StatusBadRequest, controlError{"the body must be a fault in JSON: " + err.Error()})
			return
		}
		var injection *Injection
		if err == nil {
			injection, err = e.Inject(fault)
		}
		if err != nil {
			controlled(w, http.StatusBadRequest, controlError{err.Error()})
			return
		}
		controlled(w, http.StatusCreated, injection.shown())
	})
	router.Get("/faults", func(w http.ResponseWriter, _ *http.Request) {
		list := controlList[injected]{Data: []injected{}}
		for _, injection := range e.Faults() {
			list.Data = append(list.Data, injection.shown())
		}
		controlled(w, http.StatusOK, list)
	})
	router.Delete("/faults", func(w http.ResponseWriter, _ *http.Request) {
		e.RemoveFaults()
		w.WriteHeader(http.StatusNoContent)
	})
	router.Get("/faults/{id}", e.withInjection(func(w http.ResponseWriter, injection *Injection) {
		controlled(w, http.StatusOK, injection.shown())
	}))
	router.Delete("/faults/{id}", e.withInjection(func(w http.ResponseWriter, injection *Injection) {
		injection.Remove()
		w.WriteHeader(http.StatusNoContent)
	}))
}

// withInjection finds the injection that the path names.
func (e *Emulator) withInjection(use func(http.ResponseWriter, *Injection)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		for _, injection := range e.Faults() {
			if strconv.Itoa(injection.id) == chi.URLParam(r, "id") {
				use(w, injection)
				return
			}
		}
		controlled(w, http.StatusNotFound, controlError{"no such injection"})
	}
}
