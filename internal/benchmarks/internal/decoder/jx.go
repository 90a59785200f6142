//go:build contestants

package decoder

import (
	"github.com/go-faster/jx"

	"github.com/rpcfleet/rpcfleet-go/internal/benchmarks/internal/generated/ogenapi"
)

var (
	jxEndpoints = []Decoder{{JX, overJX[ogenapi.EndpointPageEnvelope]}}
	jxLogs      = []Decoder{{JX, overJX[ogenapi.LogPageEnvelope]}}
)

// overJX decodes a page with the decoders that ogen generates.
func overJX[Page any, P interface {
	*Page
	Decode(*jx.Decoder) error
}](body []byte) error {
	return P(new(Page)).Decode(jx.DecodeBytes(body))
}
