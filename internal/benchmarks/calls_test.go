package main

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/benchmarks/internal/payload"
	"github.com/rpcfleet/rpcfleet-go/internal/benchmarks/internal/server"
)

// BenchmarkCalls measures each call by itself, for profiles. To compare contestants, run the program: it takes turns.
func BenchmarkCalls(b *testing.B) {
	origin, ctx := start(b), context.Background()
	for _, protocol := range []string{server.HTTP1, server.HTTP2} {
		for _, encoding := range []string{server.Identity, server.Gzip} {
			for _, p := range payload.All {
				for _, c := range contestants {
					b.Run(protocol+"/"+encoding+"/"+p.Name+"/"+c.Name, func(b *testing.B) {
						call, err := newField(origin, protocol, encoding).call(ctx, c, p)
						require.NoError(b, err)
						if call == nil {
							b.Skip("it does not make this call")
						}
						_, err = call(ctx) // It connects.
						require.NoError(b, err)
						b.ReportAllocs()
						for b.Loop() {
							if _, err := call(ctx); err != nil {
								b.Fatal(err)
							}
						}
					})
				}
			}
		}
	}
}
