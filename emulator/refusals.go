package emulator

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
)

// rejection is a failure that the caller is told about: a status, and the text of the envelope's error. Handlers return
// it as their error, so that every failure of every operation is written in one place.
type refusal struct {
	status int
	reason string
}

// Error implements error.
func (r *refusal) Error() string { return r.reason }

func badRequest(reason string) error { return &refusal{http.StatusBadRequest, reason} }
func forbidden(reason string) error  { return &refusal{http.StatusForbidden, reason} }
func notFound(reason string) error   { return &refusal{http.StatusNotFound, reason} }

// requireAdministrator refuses callers without an administrator's rights.
func requireAdministrator(ctx context.Context) error {
	if isAdministrator(ctx) {
		return nil
	}
	return forbidden("this operation requires an administrator")
}

// refuse writes a failed operation's response: the refusal that the handler returned, and for any other error a 500.
func refuse(w http.ResponseWriter, _ *http.Request, err error) {
	var refused *refusal
	if errors.As(err, &refused) {
		writeFailure(w, refused.status, refused.reason)
		return
	}
	writeFailure(w, http.StatusInternalServerError, "internal error")
}

// refuseRequest writes the response to a request whose parameters or body cannot be read.
func refuseRequest(w http.ResponseWriter, _ *http.Request, err error) {
	writeFailure(w, http.StatusBadRequest, err.Error())
}

func writeFailure(w http.ResponseWriter, status int, reason string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(failure{Error: reason}) // The response is kept in memory: writing it cannot fail.
}

// failure is the envelope of an operation that failed: data is always null.
type failure struct {
	Data  *struct{} `json:"data"`
	Error string    `json:"error"`
}
