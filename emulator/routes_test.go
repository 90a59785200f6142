package emulator_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestRequestsOutsideTheContract: a request that cannot be read is refused in the form of its area; if it is not an
// operation, it is refused in the router's form.
func TestRequestsOutsideTheContract(t *testing.T) {
	s := startService(t)
	id := s.create().ID
	const json = "application/json"
	for name, c := range map[string]struct {
		method, path, body string
		status             int
		contentType        string
		want               string
	}{
		"path parameter": {
			http.MethodDelete, "/v0/endpoints/tags/red", "", http.StatusBadRequest, json,
			`{"data":null,"error":"Invalid format for parameter id: error binding string parameter: strconv.ParseInt: parsing \"red\": invalid syntax"}` + "\n",
		},
		"query parameter": {
			http.MethodGet, "/v0/endpoints?limit=1&limit=2", "", http.StatusBadRequest, json,
			`{"data":null,"error":"Invalid format for parameter limit: multiple values for single value parameter 'limit'"}` +
				"\n",
		},
		"missing parameter": {
			http.MethodGet, "/v0/endpoints/" + id + "/logs?from=2026-03-10T00:00:00Z", "", http.StatusBadRequest, json,
			`{"data":null,"error":"Query argument to is required, but not found"}` + "\n",
		},
		"body": {
			http.MethodPost, "/v0/endpoints", `{"chain":7}`, http.StatusBadRequest, json,
			`{"data":null,"error":"can't decode JSON body: json: cannot unmarshal number into Go struct field CreateEndpointRequest.chain of type string"}` + "\n",
		},
		"missing body": {
			http.MethodPost, "/v0/endpoints", "", http.StatusBadRequest, json,
			`{"data":null,"error":"can't decode JSON body: EOF"}` + "\n",
		},
		"body of the alerts area": {
			http.MethodPost, alertsPath + "/destinations", `[]`, http.StatusBadRequest, json,
			`{"error":"Bad Request","message":"can't decode JSON body: json: cannot unmarshal array into Go value of type alertsapi.CreateDestinationRequest"}` + "\n",
		},
		"path": {
			http.MethodGet, "/v0/nothing", "", http.StatusNotFound, "text/plain; charset=utf-8", "404 page not found\n",
		},
		"path of the alerts area": {
			http.MethodGet, alertsPath + "/nothing", "", http.StatusNotFound, "text/plain; charset=utf-8",
			"404 page not found\n",
		},
		"method":                    {http.MethodPost, "/v0/chains", "", http.StatusMethodNotAllowed, "", ""},
		"method of the alerts area": {http.MethodPut, alertsPath + "/destinations", "", http.StatusMethodNotAllowed, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := s.call(c.method, c.path, c.body)
			assert.Equal(t, c.status, got.status)
			assert.Equal(t, c.contentType, got.header.Get("Content-Type"))
			assert.Equal(t, c.want, string(got.body))
		})
	}
}
