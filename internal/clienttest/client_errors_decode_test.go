package clienttest

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/internal/reply"
)

// TestDecodeReasons holds the reasons that callers see against those that the reader of bodies gives.
func TestDecodeReasons(t *testing.T) {
	for reason, given := range map[rpcfleet.DecodeReason]reply.Reason{
		rpcfleet.ReasonHTML: reply.HTML, rpcfleet.ReasonContentType: reply.ContentType,
		rpcfleet.ReasonEmpty: reply.Empty, rpcfleet.ReasonNoData: reply.NoData,
		rpcfleet.ReasonTruncated: reply.Truncated, rpcfleet.ReasonTooLarge: reply.TooLarge,
		rpcfleet.ReasonTrailing: reply.Trailing, rpcfleet.ReasonSyntax: reply.Syntax,
		rpcfleet.ReasonShape: reply.Shape, rpcfleet.ReasonTooDeep: reply.TooDeep,
	} {
		assert.Equal(t, string(given), string(reason))
	}
}
