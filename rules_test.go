package rpcfleet_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/internal/scriptnet"
)

// ask calls a method with what the test asks it with.
type ask func(a asking) error

// asking is the context, the client and the options of a call.
type asking struct {
	context.Context
	*rpcfleet.Client
	opts []rpcfleet.CallOption
}

// second is the error of a call, whatever its result.
func second[T any](_ T, err error) error { return err }

// rule is a rule of the contract about an argument of an operation.
type rule struct {
	operation, field string
	// rule is part of what the error says.
	rule string
	// breaks breaks this rule and no other; keeps is as near to it as the rule allows.
	breaks, keeps ask
}

const (
	isRequired   = "is required"
	isDocumented = "must be one of the documented values"
)

// testRules holds the client to rules. A value that breaks one is refused with its name, and nothing is sent, unless
// WithoutValidation leaves it to the service. A value on the rule's boundary is sent.
func testRules(t *testing.T, rules []rule) {
	t.Helper()
	for _, want := range rules {
		t.Run(want.operation+" "+want.field+" "+want.rule, func(t *testing.T) {
			client, server := scripted(t, says(200, `{"data":{}}`))
			var invalid *rpcfleet.ValidationError
			require.ErrorAs(t, want.breaks(asking{t.Context(), client, nil}), &invalid)
			assert.Equal(t, want.operation, invalid.Operation)
			assert.Equal(t, want.field, invalid.Field)
			assert.Contains(t, invalid.Rule, want.rule)
			assert.Contains(t, invalid.Error(), want.field)
			require.Empty(t, server.Requests(), "nothing is sent")

			goesOut(t, client, server, want.keeps)
			goesOut(t, client, server, want.breaks, rpcfleet.WithoutValidation())
		})
	}
}

// goesOut checks that a call is sent, whatever becomes of it, and returns what was sent.
func goesOut(t *testing.T, client *rpcfleet.Client, server script, call ask, opts ...rpcfleet.CallOption) scriptnet.Request {
	t.Helper()
	before := len(server.Requests())
	var invalid *rpcfleet.ValidationError
	err := call(asking{t.Context(), client, opts})
	require.False(t, errors.As(err, &invalid), "refused: %v", err)
	require.Len(t, server.Requests(), before+1, "%v", err)
	return server.Requests()[before]
}
