//go:build !contestants

package decoder

// The decoder over jx needs the generated contestants.
var jxEndpoints, jxLogs []Decoder
