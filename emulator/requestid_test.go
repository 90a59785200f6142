package emulator_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// TestEveryResponseHasTheIDOfItsRequest asks every area, the tooling endpoint and no area at all, with and without a
// key, and with a body that cannot be read.
func TestEveryResponseHasTheIDOfItsRequest(t *testing.T) {
	for range 2 { // The same in every emulator.
		e, asked := emulator.New(), 0
		ask := func(method, path, key string, body *strings.Reader) {
			r := httptest.NewRequest(method, path, body)
			if body.Len() == 0 {
				r.Body = brokenBody{}
			}
			r.Header.Set("X-Api-Key", key)
			response := httptest.NewRecorder()
			e.ServeHTTP(response, r)
			asked++
			assert.Equal(t, []string{fmt.Sprint("req-", asked)}, response.Header().Values("X-Request-Id"), "%s %s: %d", method,
				path, response.Code)
		}
		for _, key := range []string{e.APIKey, "made-up-wrong-key"} {
			for _, path := range []string{"/v0/chains", "/v0/endpoints/none", "/alerts/rest/v1/notifications", "/graphql",
				"/tooling/1", "/nowhere"} {
				ask(http.MethodGet, path, key, strings.NewReader("{}"))
				ask(http.MethodPost, path, key, strings.NewReader("{}"))
				ask(http.MethodPost, path, key, strings.NewReader(""))
			}
		}
	}
}

type brokenBody struct{}

func (brokenBody) Read([]byte) (int, error) { return 0, errors.New("broken") }
func (brokenBody) Close() error             { return nil }
