package emulator

import (
	"bytes"
	"net/http"
)

// response keeps a response until the state is free again.
type response struct {
	header http.Header
	status int
	begun  bool
	body   bytes.Buffer
}

// Header implements http.ResponseWriter.
func (r *response) Header() http.Header { return r.header }

// WriteHeader implements http.ResponseWriter.
func (r *response) WriteHeader(status int) {
	if !r.begun {
		r.status, r.begun = status, true
	}
}

// Write implements http.ResponseWriter.
func (r *response) Write(p []byte) (int, error) {
	r.begun = true
	return r.body.Write(p)
}

// replace puts another body in the place of the one that was written, and returns true.
func (r *response) replace(body []byte) bool {
	r.body.Reset()
	_, _ = r.body.Write(body) // A buffer takes everything.
	return true
}
