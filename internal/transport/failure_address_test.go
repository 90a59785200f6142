package transport

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestAFailureHasNoAddress of the request, whoever has wrapped it into the error, and however often.
func TestAFailureHasNoAddress(t *testing.T) {
	lost := errors.New("lost")
	for kind, cause := range map[Kind]error{Connection: lost, Canceled: context.Canceled} {
		err := error(&url.Error{Op: "Get", URL: "https://secret.example.com", Err: &url.Error{Op: "Get", URL: "https://secret.example.com", Err: cause}})
		for _, err := range []error{err, fmt.Errorf("again: %w", err)} {
			failure := failureOf(err)
			assert.Equal(t, kind, failure.Kind)
			assert.Equal(t, cause, failure.Err)
		}
	}
}
