package scriptnet

import (
	"io"
	"net/http"
)

// JSON responds with a status and a body of JSON.
func JSON(status int, body string) http.HandlerFunc { return Typed("application/json", status, body) }

// Typed responds with a status and a body of any type.
func Typed(contentType string, status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// Redirect responds with a redirect.
func Redirect(to string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Location", to)
		w.WriteHeader(http.StatusFound)
	}
}

// CutShort promises more than it sends.
func CutShort(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", "1000")
	_, _ = io.WriteString(w, `{"data":{"id":"a"`)
	w.(http.Flusher).Flush()
	panic(http.ErrAbortHandler)
}

// HangUp closes the connection without a response.
func HangUp(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

// Wait does not respond until the client gives up.
func Wait(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

// Raw sends a text that need not be HTTP.
func Raw(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		_, _ = io.WriteString(conn, text)
		_ = conn.Close()
	}
}
