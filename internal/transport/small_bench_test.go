package transport_test

import (
	"context"
	"crypto/tls"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/rpcfleet/rpcfleet-go/internal/faultnet"
	"github.com/rpcfleet/rpcfleet-go/internal/transport"
)

// BenchmarkASmallCall makes one small call after another over connections of the transport's own.
//
//	go test -run '^$' -bench ASmallCall -benchmem -count 6 ./internal/transport
func BenchmarkASmallCall(b *testing.B) {
	for _, protocol := range faultnet.Protocols {
		for name, body := range map[string]string{"300B": strings.Repeat("x", 300), "64KiB": strings.Repeat("x", 64<<10)} {
			b.Run(string(protocol)+"/"+name, func(b *testing.B) {
				if protocol == faultnet.HTTP2 && len(body) > 1<<10 {
					b.Skip("the server writes one frame")
				}
				server := faultnet.Serve(b, protocol, faultnet.Respond("small", http.StatusOK, "application/json", body))
				usual := http.DefaultTransport
				base := usual.(*http.Transport).Clone()
				base.TLSClientConfig = &tls.Config{RootCAs: server.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs}
				http.DefaultTransport = base
				defer func() { http.DefaultTransport = usual }()
				origin, err := url.Parse(server.URL + "/")
				if err != nil {
					b.Fatal(err)
				}
				t := transport.New(transport.Config{Origin: origin, Credentials: func(context.Context) (transport.Credentials, error) {
					return transport.Credentials{}, nil
				}})
				retry := policy
				call := transport.Call{Operation: read, Address: origin.JoinPath("thing"), Retry: &retry, MaxBody: 1 << 20}
				b.ReportAllocs()
				for b.Loop() {
					response, _, err := t.Send(b.Context(), call)
					if err != nil {
						b.Fatal(err)
					}
					response.Release()
				}
			})
		}
	}
}
