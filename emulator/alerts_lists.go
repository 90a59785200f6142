package emulator

import (
	"net/http"
	"slices"
)

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
