package main

import (
	"context"
	"net/http"
)

// A callback's error is a 500. Where the queue was full, the sender is told more: a 503, and when to come again.

type busyKey struct{}

// markBusy notes that a request found the queue full.
func markBusy(ctx context.Context) {
	if busy, ok := ctx.Value(busyKey{}).(*bool); ok {
		*busy = true
	}
}

// busyAware makes the 500 of a request that found the queue full a 503.
func busyAware(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		busy := new(bool)
		next.ServeHTTP(&busyWriter{w, busy}, r.WithContext(context.WithValue(r.Context(), busyKey{}, busy)))
	})
}

type busyWriter struct {
	http.ResponseWriter
	busy *bool
}

// WriteHeader implements http.ResponseWriter.
func (w *busyWriter) WriteHeader(status int) {
	if *w.busy && status == http.StatusInternalServerError {
		status = http.StatusServiceUnavailable
		w.Header().Set("Retry-After", "1")
	}
	w.ResponseWriter.WriteHeader(status)
}

// Unwrap lets the receiver set its deadlines.
func (w *busyWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
