// Package decoder holds the ways to decode a page that were compared for the library.
package decoder

import (
	stdjson "encoding/json"

	"github.com/go-json-experiment/json"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/benchmarks/internal/payload"
	"github.com/rpcfleet/rpcfleet-go/internal/benchmarks/internal/record"
)

// Decoder is a way to decode the body of one page.
type Decoder struct {
	Name   string
	Decode func(body []byte) error
}

// The names of the compared decoders.
const (
	JX        = "c jx"
	Ours      = "d1 scan with scalars"
	OursPlain = "d2 scan without scalars"
)

// Pages lists the payloads with decoders.
var Pages = []string{payload.Endpoints, payload.Logs}

// Of returns the decoders of a page. Those of the library fill records with scalars, the others plain ones. The decoder
// over jx needs the generated contestants.
func Of(page string) []Decoder {
	if page == payload.Endpoints {
		return append([]Decoder{
			{"encoding json", standard[[]record.Endpoint]},
			{"a1 v2 line with scalars", v2[[]admin.Endpoint]},
			{"a2 v2 line without scalars", v2[[]record.Endpoint]},
			{"b jsontext", overJSONText(readEndpoint)},
			{Ours, ours[admin.Endpoint]},
			{OursPlain, overScan(scanEndpoint)},
		}, jxEndpoints...)
	}
	return append([]Decoder{
		{"encoding json", standard[[]record.LogEntry]},
		{"a1 v2 line with scalars", v2[[]admin.LogEntry]},
		{"a2 v2 line without scalars", v2[[]record.LogEntry]},
		{"b jsontext", overJSONText(readLogEntry)},
		{Ours, ours[admin.LogEntry]},
		{OursPlain, overScan(scanLogEntry)},
	}, jxLogs...)
}

func standard[Rows any](body []byte) error {
	return stdjson.Unmarshal(body, new(record.Envelope[Rows]))
}

func v2[Rows any](body []byte) error { return json.Unmarshal(body, new(record.Envelope[Rows])) }
