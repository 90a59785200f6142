package server

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rpcfleet/rpcfleet-go/internal/benchmarks/internal/payload"
	"github.com/rpcfleet/rpcfleet-go/internal/test/race"
)

// TestHandler_refusesOtherRequests sends requests that differ from the request that a contestant has to send.
func TestHandler_refusesOtherRequests(t *testing.T) {
	race.Skip(t)
	asked := map[string]payload.Payload{}
	for _, p := range payload.All {
		asked[p.Name] = p
	}
	for name, c := range map[string]struct {
		payload, key, query, body string
		want                      string
	}{
		"no key":           {payload.Logs, "", "", "", "the key is wrong"},
		"no query":         {payload.Logs, Key, "?", "", " is wrong"},
		"another endpoint": {payload.Create, Key, "", `{"chain":"solana"}`, "the endpoint is wrong"},
		"no JSON":          {payload.Create, Key, "", `{`, "the endpoint is wrong"},
		"another query":    {payload.NFTs, Key, "", `{"query":"{ a }","variables":{"first":1}}`, "the query is wrong"},
	} {
		t.Run(name, func(t *testing.T) {
			p := asked[c.payload]
			query := c.query
			if query == "" && len(p.Query) > 0 {
				query = "?" + p.Query.Encode()
			}
			r := httptest.NewRequest(p.Method, "/"+Identity+p.Path+query, strings.NewReader(c.body))
			r.Header.Set("x-api-key", c.key)
			w := httptest.NewRecorder()
			handler().ServeHTTP(w, r)
			said, _ := io.ReadAll(w.Body)
			assert.Equal(t, http.StatusBadRequest, w.Code)
			assert.Contains(t, string(said), c.want)
		})
	}
}
