package emulator

import (
	"encoding/json"
	"errors"
	"net/http"
	"strconv"

	"github.com/go-chi/chi/v5"
)

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
