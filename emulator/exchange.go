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
	Method string
	// URL is the path and the query, as they were sent.
	URL           string
	RequestHeader http.Header
	RequestBody   []byte
	Status        int
	Header        http.Header
	Body          []byte
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
		mu.Lock()
		defer mu.Unlock()
		if err := lines.Encode(exchange); err != nil {
			panic(fmt.Sprintf("emulator: %s: %v", recordVariable, err))
		}
	}
}

// observe tells the observers of an exchange.
func (e *Emulator) observe(r *http.Request, body []byte, response *response) {
	if len(e.settings.observers) == 0 {
		return
	}
	exchange := Exchange{
		Method: r.Method, URL: r.URL.RequestURI(), RequestHeader: r.Header.Clone(), RequestBody: body,
		Status: response.status, Header: response.header.Clone(), Body: response.body.Bytes(),
	}
	for _, observe := range e.settings.observers {
		observe(exchange)
	}
}
