package transport_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/faultnet"
	"github.com/rpcfleet/rpcfleet-go/internal/operation"
)

// TestWhatIsOnTheWire looks at what net/http makes of the requests that it is handed so that it cannot repeat them.
func TestWhatIsOnTheWire(t *testing.T) {
	const body = `{"a":1}`
	for _, want := range []struct {
		method, body string
		length       string // Of HTTP/1; empty where the header shall not be there.
	}{
		{http.MethodGet, "", ""}, {http.MethodDelete, "", ""},
		{http.MethodPost, "", "0"}, {http.MethodPut, "", "0"}, {http.MethodPatch, "", "0"},
		{http.MethodPost, body, "7"}, {http.MethodPatch, body, "7"}, {http.MethodDelete, body, "7"},
	} {
		for _, protocol := range faultnet.Protocols {
			s := sample{&operation.Operation{ID: "doThing", Method: want.method, Path: "/thing"}, want.body}
			t.Run(s.name()+"/"+string(protocol), func(t *testing.T) {
				f := newFaulty(t, protocol, faultnet.OK)
				for range 2 {
					_, _, err := f.send(t.Context(), s)
					require.NoError(t, err)
				}
				assert.Equal(t, 1, f.server.Accepted(), "nothing of the body is left over on the connection")
				for _, head := range f.server.Heads() {
					if protocol == faultnet.HTTP2 {
						frames := map[bool]string{true: "HEADERS end=false DATA 0 end=true", false: "HEADERS end=false DATA 7 end=true"}
						assert.Equal(t, frames[want.body == ""], head)
						continue
					}
					fields := strings.Split(strings.ToLower(head), "\r\n")
					assert.Equal(t, strings.ToLower(want.method)+" /thing http/1.1", fields[0])
					for _, field := range fields {
						assert.NotContains(t, field, "transfer-encoding")
						if want.length == "" {
							assert.NotContains(t, field, "content-length")
						}
					}
					if want.length != "" {
						assert.Contains(t, fields, "content-length: "+want.length)
						assert.Equal(t, 1, strings.Count(strings.ToLower(head), "content-length"))
					}
				}
			})
		}
	}
}
