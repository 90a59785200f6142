package main

import (
	"context"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMain(m *testing.M) {
	serveIfAsked()
	os.Exit(m.Run())
}

// eachCall starts the server and passes each call of each contestant, on each field.
func eachCall(t testing.TB, do func(f field, c contestant, p payload, call call)) {
	origin, err := startServer()
	require.NoError(t, err)
	defer func() { assert.NoError(t, origin.close()) }()
	for _, f := range fields {
		for _, c := range contestants() {
			calls, err := c.calls(origin.url(f), origin.client())
			require.NoError(t, err)
			for _, p := range payloads {
				do(f, c, p, calls[p.name])
			}
		}
	}
}

// BenchmarkCalls measures each call by itself, for profiles. To compare contestants, run the program: it takes turns.
func BenchmarkCalls(b *testing.B) {
	eachCall(b, func(f field, c contestant, p payload, call call) {
		b.Run(f.title+"/"+p.name+"/"+c.name, func(b *testing.B) {
			if call == nil {
				b.Skip("it does not make this call")
			}
			_, err := call(context.Background()) // It connects.
			require.NoError(b, err)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := call(context.Background()); err != nil {
					b.Fatal(err)
				}
			}
		})
	})
}
