// Package decoder has the ways to decode a page that were compared before the library chose one of them.
package decoder

import (
	stdjson "encoding/json"

	"github.com/go-json-experiment/json"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/benchmarks/internal/payload"
	"github.com/rpcfleet/rpcfleet-go/benchmarks/internal/record"
)

// Decoder is a way to decode the body of one page.
type Decoder struct {
	Name   string
	Decode func(body []byte) error
}

// The names of those whose distance is asked for.
const (
	JX        = "c jx"
	Ours      = "d1 scan with scalars"
	OursPlain = "d2 scan without scalars"
)

// Pages are the payloads that there are decoders for.
var Pages = []string{payload.Endpoints, payload.Logs}

// Of returns the decoders of a page: into records with scalars where the library's own are concerned, into plain ones
// elsewhere. The one over jx is among them where the contestants are generated.
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
