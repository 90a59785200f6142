package emulator

import (
	"context"
	"crypto/subtle"
	"net/http"
)

// role is what a key may do.
type role int

const (
	viewer role = iota + 1
	administrator
)

type roleKey struct{}

// authenticate refuses requests without a known key, in plain text as the service was observed to, and leaves the
// caller's role with the request.
func (e *Emulator) authenticate(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		caller := e.roleOf(r.Header.Get("X-Api-Key"))
		if caller == 0 {
			http.Error(w, "Unauthorized", http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), roleKey{}, caller)))
	})
}

func (e *Emulator) roleOf(key string) role {
	switch {
	case key == "":
		return 0
	case subtle.ConstantTimeCompare([]byte(key), []byte(e.settings.apiKey)) == 1:
		return administrator
	case subtle.ConstantTimeCompare([]byte(key), []byte(e.settings.viewerKey)) == 1:
		return viewer
	}
	return 0
}

// isAdministrator reports whether the request's caller is one.
func isAdministrator(ctx context.Context) bool { return ctx.Value(roleKey{}) == administrator }
