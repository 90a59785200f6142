package clienttest

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
)

// use is one call of a method.
type use func(ctx context.Context, c *rpcfleet.Client) error

// sent is what a call is to send. The body is JSON, or empty.
type sent struct {
	use                use
	method, path, body string
}

// testSends checks what calls put on the wire. Every one is responded to with the same line, which has to please them
// all.
func testSends(t *testing.T, line responder, calls map[string]sent) {
	t.Helper()
	for name, want := range calls {
		t.Run(name, func(t *testing.T) {
			client, server := scripted(t, line)
			require.NoError(t, want.use(t.Context(), client))
			require.Len(t, server.Requests(), 1)
			got := server.Requests()[0]
			assert.Equal(t, want.method, got.Method)
			assert.Equal(t, want.path, got.Path)
			if want.body == "" {
				assert.Empty(t, got.Body)
				return
			}
			assert.JSONEq(t, want.body, got.Body)
		})
	}
}

// testVerdicts checks that calls tell whether something happened, as the service says it.
func testVerdicts(t *testing.T, calls map[string]use) {
	t.Helper()
	verdicts := map[string]bool{
		`{"data":true,"error":null}`: true, `{"data":{"success":true}}`: true, `{"data":"gone"}`: true, `{}`: true, ``: true,
		`{"data":{"message":"gone"},"error":null}`: true,
		`{"data":false,"error":null}`:              false, `{"data":{"success":false}}`: false,
		`{"data":null,"error":"still in use"}`: false,
	}
	for name, use := range calls {
		t.Run(name, func(t *testing.T) {
			for body, happened := range verdicts {
				client, _ := scripted(t, says(200, body))
				err := use(t.Context(), client)
				if happened {
					require.NoError(t, err, body)
				} else {
					require.ErrorIs(t, err, rpcfleet.ErrRefused, body)
				}
			}
		})
	}
}
