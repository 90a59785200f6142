//go:build !contestants

package decoder

// Jx has decoders where the contestants are generated.
var jxEndpoints, jxLogs []Decoder
