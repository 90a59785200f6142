package clienttest

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/internal/envelope"
)

// TestDecodeReasons holds the reasons that callers see against those that the reader of bodies gives.
func TestDecodeReasons(t *testing.T) {
	for reason, given := range map[rpcfleet.DecodeReason]envelope.Reason{
		rpcfleet.ReasonHTML: envelope.HTML, rpcfleet.ReasonContentType: envelope.ContentType,
		rpcfleet.ReasonEmpty: envelope.Empty, rpcfleet.ReasonNoData: envelope.NoData,
		rpcfleet.ReasonTruncated: envelope.Truncated, rpcfleet.ReasonTooLarge: envelope.TooLarge,
		rpcfleet.ReasonTrailing: envelope.Trailing, rpcfleet.ReasonSyntax: envelope.Syntax,
		rpcfleet.ReasonShape: envelope.Shape, rpcfleet.ReasonTooDeep: envelope.TooDeep,
	} {
		assert.Equal(t, string(given), string(reason))
	}
}
