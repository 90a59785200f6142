package emulator

import (
	"errors"
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/serve"
)

// mountToolingPlane adds the data plane of the tooling endpoint: JSON-RPC calls with a session token as bearer. The
// contract has nothing on it but that.
func (e *Emulator) mountToolingPlane(router chi.Router) {
	for _, path := range []string{toolingPath + "{endpoint_id}", toolingPath + "{endpoint_id}/*"} {
		router.Post(path, e.serveTooling)
		e.operations.add(serve.Operation{
			ID: toolingOperation, Method: http.MethodPost, Path: path, Paging: "none",
		}, refuseTooling)
	}
}

func (e *Emulator) serveTooling(w http.ResponseWriter, r *http.Request) {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		refuseToken(w, "a session token is required")
		return
	}
	session, err := e.state.tooling.signer.check(token, e.state.now())
	if err != nil {
		refuseToken(w, err.Error())
		return
	}
	if session.Subject != chi.URLParam(r, "endpoint_id") {
		refuseToken(w, "the session token is for another endpoint")
		return
	}
	if e.state.tooling.enabledAt == nil {
		http.Error(w, "tooling access is off", http.StatusForbidden)
		return
	}
	response := e.state.respondRPC(receivedWith(r.Context()).body)
	if response == nil {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(response) // The response is kept in memory: writing it cannot fail.
}

// refuseTooling writes a failure that is not the token's fault.
func refuseTooling(w http.ResponseWriter, _ *http.Request, err error) {
	status := http.StatusInternalServerError
	var refused *refusal
	if errors.As(err, &refused) {
		status = refused.status
	}
	http.Error(w, err.Error(), status)
}

func refuseToken(w http.ResponseWriter, reason string) {
	w.Header().Set("WWW-Authenticate", "Bearer")
	http.Error(w, reason, http.StatusUnauthorized)
}
