package main

import (
	"context"
	"encoding/json"
	"io"
	"sync"

	"github.com/rpcfleet/rpcfleet-go/alerts"
)

// writer handles deliveries by writing each as a line of JSON. Put your own work into its place: a nil error takes the
// delivery over, one of [alerts.Permanent] refuses it for good, and any other has it sent again.
type writer struct {
	mu  sync.Mutex
	out io.Writer
}

func (w *writer) handle(_ context.Context, d *alerts.Delivery) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return json.NewEncoder(w.out).Encode(struct {
		Nonce   string          `json:"nonce"`
		Payload json.RawMessage `json:"payload"`
	}{d.Headers.Nonce, d.Payload})
}
