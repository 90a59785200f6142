package emulator

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/alertsapi"
	"github.com/rpcfleet/rpcfleet-go/emulator/internal/serve"
)

// alertsHandlers implements the alerts area's server interface. Its methods are spread over the files of their
// subjects, and return a record or an error as those of the admin area do.
type alertsHandlers struct{ *Emulator }

var _ alertsapi.Server = alertsHandlers{}

// alertsState is what the account has in the alerts area, each list in the order of creation.
type alertsState struct {
	destinations  []*destination
	notifications []*notification
}

// WithoutAlerts gives the account a plan that does not include alerts: every operation of the area responds with 403.
func WithoutAlerts() Option { return func(s *settings) { s.alertsGated = true } }

// mountAlerts adds the operations of the alerts area.
func (e *Emulator) mountAlerts(router chi.Router) {
	alertsapi.Mount(serve.Area{
		Router:        router.With(e.requireAlerts, e.wrapLists),
		Prefix:        strings.TrimRight(e.settings.alertsPath, "/"),
		Mounted:       e.operations.adder(refuseAlerts),
		RefuseRequest: refuseAlertsRequest,
		Refuse:        refuseAlerts,
	}, alertsHandlers{e})
}

// requireAlerts refuses callers whose plan does not include alerts, in plain text as the service was observed to.
func (e *Emulator) requireAlerts(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if e.settings.alertsGated {
			http.Error(w, "Forbidden", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// refuseAlerts writes a failed operation's response. The area has no envelope; the form of its failures is assumed.
func refuseAlerts(w http.ResponseWriter, _ *http.Request, err error) {
	var refused *refusal
	if !errors.As(err, &refused) {
		refused = &refusal{http.StatusInternalServerError, "internal error"}
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(refused.status)
	// The response is kept in memory: writing it cannot fail.
	_ = json.NewEncoder(w).Encode(alertsapi.AlertsError{
		Message: &refused.reason, Error: new(http.StatusText(refused.status)),
	})
}

// refuseAlertsRequest writes the response to a request whose parameters or body cannot be read.
func refuseAlertsRequest(w http.ResponseWriter, r *http.Request, err error) {
	refuseAlerts(w, r, badRequest(err.Error()))
}

// WithoutAlertsPaging makes the lists of the alerts area come whole, whatever limit and offset ask for. The service has
// been described both ways.
func WithoutAlertsPaging() Option { return func(s *settings) { s.alertsUnpaged = true } }

// WithWrappedAlertsLists makes the lists of the alerts area come as {"data": [...]}, and not as the whole body. The
// service has been described both ways.
func WithWrappedAlertsLists() Option { return func(s *settings) { s.alertsWrapped = true } }

// alertsPageOf cuts a page out of a list of the alerts area, whose order is stable. It also returns the limit in force.
// That a limit below 1 and a negative offset are refused is assumed.
func alertsPageOf[T any](s *settings, list []T, limit, offset *int) ([]T, int, error) {
	if s.alertsUnpaged {
		return list, len(list), nil
	}
	size, first := valueOr(limit, defaultPage), valueOr(offset, 0)
	switch {
	case size < 1:
		return nil, 0, badRequest("limit must be at least 1")
	case first < 0:
		return nil, 0, badRequest("offset must not be negative")
	}
	size = min(size, s.pageCap)
	rest := list[min(first, len(list)):]
	return rest[:min(size, len(rest))], size, nil
}

// wrapLists puts responses that are an array into an object.
func (e *Emulator) wrapLists(next http.Handler) http.Handler {
	if !e.settings.alertsWrapped {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		bare := &response{header: w.Header(), status: http.StatusOK}
		next.ServeHTTP(bare, r)
		body := bare.body.Bytes()
		if len(body) > 0 && body[0] == '[' {
			body = slices.Concat([]byte(`{"data":`), body, []byte("}"))
		}
		w.WriteHeader(bare.status)
		_, _ = w.Write(body) // The response is kept in memory: writing it cannot fail.
	})
}
