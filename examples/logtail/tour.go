package main

import (
	"time"

	"github.com/rpcfleet/rpcfleet-go/emulator"
	"github.com/rpcfleet/rpcfleet-go/emulator/fleet"
)

// tour is what happens on an emulator.
type tour struct {
	emulator  *emulator.Emulator
	endpoints []string
}

// seed adds endpoints with logs.
func (t *tour) seed(e *emulator.Emulator) error {
	made, err := e.Populate(fleet.Fleet{Endpoints: []fleet.Endpoint{
		{Chain: "ethereum", Network: "ethereum-mainnet", Label: "checkout", Tags: []string{"production"}},
		{Chain: "polygon", Network: "polygon-mainnet", Label: "indexer"},
	}})
	t.emulator, t.endpoints = e, made.Endpoints
	for i := 0; i < 8 && err == nil; i++ {
		err = t.call(i)
	}
	return err
}

// call logs a call: of eight, one fails with an error code and one with a status.
func (t *tour) call(i int) error {
	entry := emulator.LoggedCall{Method: []string{"eth_call", "eth_blockNumber", "eth_getLogs"}[i%3]}
	switch i % 8 {
	case 3:
		entry.ErrorCode = new(-32000)
	case 6:
		entry.Status = 429
	}
	_, err := t.emulator.AppendLog(t.endpoints[i%len(t.endpoints)], entry)
	return err
}

// start logs calls until it is told to end.
func (t *tour) start() (end func()) {
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for i := 8; ; i++ {
			select {
			case <-done:
				return
			case <-time.After(100 * time.Millisecond):
				_ = t.call(i) // What is logged is right, as it was before.
			}
		}
	}()
	return func() {
		close(done)
		<-ended
	}
}

// onEmulator lets a tour be over soon.
func (o *options) onEmulator() {
	o.every = min(o.every, 100*time.Millisecond)
	if o.lasts == 0 {
		o.lasts = 2 * time.Second
	}
}
