package emulator

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"sync"
)

// Exchange is one request and its response, as an observer sees them.
type Exchange struct {
	// Method is that of the request.
	Method string
	// URL is the path and the query, as they were sent.
	URL string
	// RequestHeader and RequestBody are what the request brought.
	RequestHeader http.Header
	RequestBody   []byte
	// Status, Header and Body are the response.
	Status int
	Header http.Header
	Body   []byte
	// Fault is what a fault did to the exchange, as in [Call], or empty. Status, Header and Body are what was settled
	// before the fault had to do with the connection; they need not have arrived.
	Fault string `json:",omitempty"`
}

// WithObserver lets a function see every exchange after its response is settled: a test can assert what its program
// sent. It is called concurrently, and must not change what it is given.
func WithObserver(observe func(Exchange)) Option {
	return func(s *settings) { s.observers = append(s.observers, observe) }
}

// recordVariable names a folder into which every emulator of a process records its exchanges, one line of JSON each.
// That is how a whole test run can be held against the contract afterwards.
const recordVariable = "RPCFLEET_EMULATOR_RECORD"

// recorder returns an observer that writes to a file of its own in the folder that the environment names, or nil.
func recorder() func(Exchange) {
	folder := os.Getenv(recordVariable)
	if folder == "" {
		return nil
	}
	file, err := os.CreateTemp(folder, "exchanges-*.jsonl")
	if err != nil {
		panic(fmt.Sprintf("emulator: %s: %v", recordVariable, err))
	}
	var mu sync.Mutex
	lines := json.NewEncoder(file)
	return func(exchange Exchange) {
		if exchange.Fault != "" {
			return // What is broken on purpose says nothing of the contract.
		}
		mu.Lock()
		defer mu.Unlock()
		if err := lines.Encode(exchange); err != nil {
			panic(fmt.Sprintf("emulator: %s: %v", recordVariable, err))
		}
	}
}

// observe tells the observers of an exchange.
func (e *Emulator) observe(r *http.Request, body []byte, response *response, fault string) {
	if len(e.settings.observers) == 0 {
		return
	}
	exchange := Exchange{
		Method: r.Method, URL: r.URL.RequestURI(), RequestHeader: r.Header.Clone(), RequestBody: body,
		Status: response.status, Header: response.header.Clone(), Body: response.body.Bytes(),
		Fault: fault,
	}
	for _, observe := range e.settings.observers {
		observe(exchange)
	}
}
