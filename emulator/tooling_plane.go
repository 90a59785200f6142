package emulator

import (
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"
)

// mountToolingPlane adds the data plane of the tooling endpoint: JSON-RPC calls with a session token as bearer. The
// contract has nothing on it but that.
func (e *Emulator) mountToolingPlane(router chi.Router) {
	router.Post(toolingPath+"{endpoint_id}", e.serveTooling)
	router.Post(toolingPath+"{endpoint_id}/*", e.serveTooling)
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

func refuseToken(w http.ResponseWriter, reason string) {
	w.Header().Set("WWW-Authenticate", "Bearer")
	http.Error(w, reason, http.StatusUnauthorized)
}
