package transport_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/transport"
)

var errSibling = errors.New("what a sibling's failure matches")

// sibling is another call's failure. It has a meaning of its own, as an *rpcfleet.Error has, and wraps its cause.
type sibling struct{ cause error }

func (*sibling) Error() string        { return "another call's failure" }
func (s *sibling) Unwrap() error      { return s.cause }
func (*sibling) Is(target error) bool { return target == errSibling }

// uncomparable is an error that errors.Is cannot compare with.
type uncomparable []string

func (uncomparable) Error() string { return "several things" }

func TestACanceledCallDoesNotEndLikeTheOneThatCanceledIt(t *testing.T) {
	cause := &sibling{errors.New("the sibling's own cause")}
	for name, test := range map[string]struct {
		script []responder
		pacer  transport.Pacer
	}{
		"on its way":    {script: []responder{silence}},
		"between two":   {script: []responder{status(503, "Retry-After", "50")}},
		"at the pacer":  {script: []responder{status(200)}, pacer: untilEnd{}},
		"in the middle": {script: []responder{stalls}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := serve(t, test.script...)
				h.config.Pacer = test.pacer
				h.Transport = transport.New(h.config)
				ctx, cancel := context.WithCancelCause(t.Context())
				time.AfterFunc(time.Second, func() { cancel(cause) })
				_, _, err := h.send(ctx, read)
				require.ErrorIs(t, err, context.Canceled)
				require.ErrorIs(t, err, context.Cause(ctx))
				require.NotErrorIs(t, err, errSibling, "the cause's meaning is not this call's")
				require.NotErrorIs(t, err, cause.cause)
				var other *sibling
				require.NotErrorAs(t, err, &other)
				assert.NotContains(t, err.Error(), cause.Error())
			})
		})
	}
}

func TestTheEndOfAContextWithACause(t *testing.T) {
	cause := errors.New("the shift is over")
	ctx, cancel := context.WithDeadlineCause(t.Context(), time.Unix(0, 0), cause)
	defer cancel()
	err := transport.Ended(ctx, ctx.Err())
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.ErrorIs(t, err, cause)
	assert.Equal(t, errSibling, transport.Ended(ctx, errSibling), "an error of another kind is not touched")

	ctx, end := context.WithCancelCause(t.Context())
	assert.Equal(t, context.Canceled, transport.Ended(ctx, context.Canceled), "nor one that came before the end")
	end(uncomparable{"a", "b"})
	err = transport.Ended(ctx, ctx.Err())
	require.ErrorIs(t, err, context.Canceled)
	assert.NotErrorIs(t, err, uncomparable{"a", "b"}, "which does not panic")
}

// untilEnd is a pacer that never lets go.
type untilEnd struct{}

func (untilEnd) Wait(ctx context.Context) error {
	<-ctx.Done()
	return ctx.Err()
}
