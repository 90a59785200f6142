package transport_test

import (
	"bytes"
	"fmt"
	"log"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/test/faultnet"
	"github.com/rpcfleet/rpcfleet-go/internal/transport"
)

const (
	okay    = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
	chunked = okay + "Transfer-Encoding: chunked\r\n\r\n"
)

func sized(body string) string {
	return fmt.Sprintf("%sContent-Length: %d\r\n\r\n%s", okay, len(body), body)
}

// TestPool_surplusIsNeitherLoggedNorAResponse sends more than a response: none of it gets into the program's log, and the
// next call gets its own response.
func TestPool_surplusIsNeitherLoggedNorAResponse(t *testing.T) {
	var logged bytes.Buffer
	usual := log.Writer()
	log.SetOutput(&logged)
	t.Cleanup(func() { log.SetOutput(usual) })
	play := func(fault faultnet.Fault) {
		for _, protocol := range []faultnet.Protocol{faultnet.HTTP1, faultnet.HTTP1TLS} {
			synctest.Test(t, func(t *testing.T) {
				f := inFrontOf(t, faultnet.ServePiped(t, protocol, fault, faultnet.OK))
				tooLarge := strings.HasPrefix(fault.Name, "too large")
				_, _, err := f.send(t.Context(), samples[5], once, func(c *transport.Call) {
					if tooLarge {
						c.MaxBody = 5
					}
				})
				assert.Equal(t, tooLarge, err != nil, fault.Name)
				response, _, err := f.send(t.Context(), samples[5], once)
				require.NoError(t, err, fault.Name)
				assert.JSONEq(t, `{"data":{}}`, string(response.Body), fault.Name)
				synctest.Wait()
			})
			assert.Empty(t, logged.String()[:min(200, logged.Len())], "%s over %s", fault.Name, protocol)
			logged.Reset()
		}
	}
	for name, response := range map[string]string{
		"a body":           sized(`{"data":[]}`),
		"an empty body":    sized(""),
		"a large body":     sized(strings.Repeat(" ", 1<<20)),
		"chunks":           chunked + "b\r\n" + `{"data":[]}` + "\r\n0\r\n\r\n",
		"a trailer":        chunked + "b\r\n" + `{"data":[]}` + "\r\n0\r\nA: b\r\n\r\n",
		"a 204":            "HTTP/1.1 204 No Content\r\n\r\n",
		"an early hint":    "HTTP/1.1 103 Early Hints\r\n\r\n" + sized("{}"),
		"gzip":             strings.Replace(sized(zipped(t, `{"data":[]}`)), "Type: ", "Encoding: gzip\r\nA: ", 1),
		"too large":        sized(`{"data":[]}`), // Go 1.27 reads the rest.
		"too large chunks": chunked + "b\r\n" + `{"data":[]}` + "\r\n0\r\n\r\n",
	} {
		surplus := sized(`{"token":"made-up-token"}`) + "\r\n\r\nmade-up-token"
		play(faultnet.Raw(name, response+surplus))
	}
}

// TestPool_readsResponsesInAnyPieces from one connection, with empty lines anywhere.
func TestPool_readsResponsesInAnyPieces(t *testing.T) {
	lines := strings.Repeat("\r\n\n{}\r\n", 3000)
	responses := map[string]string{ // By their bodies.
		lines: sized(lines),
		"HTTP/1.1\r\n\r\n0": chunked + "9;" + strings.Repeat("x", 99) +
			"\r\nHTTP/1.1\r\r\n1\r\n\n\r\n3\r\n\r\n0\r\n0\r\n\r\n",
		lines + lines: chunked + strings.Repeat(fmt.Sprintf("%x\r\n%s\r\n", len(lines), lines), 2) +
			"0\r\nA: " + strings.Repeat("a", 200) + "\r\nB: c\r\n\r\n",
		"early":      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: a\r\n b\r\n\r\n" + sized("early"),
		"long":       strings.Replace(sized("long"), "\r\n", "\r\nA: "+strings.Repeat("a", 9000)+"\r\n", 1),
		"line feeds": strings.ReplaceAll(sized("line feeds"), "\r", ""),
	}
	for n := range 20 {
		responses[strings.Repeat("\n", n)] = sized(strings.Repeat("\n", n))
	}
	for _, protocol := range []faultnet.Protocol{faultnet.HTTP1, faultnet.HTTP1TLS} {
		synctest.Test(t, func(t *testing.T) {
			f := inFrontOf(t, faultnet.ServePiped(t, protocol, faultnet.OK))
			for body, text := range responses {
				for _, pieces := range []int{1, 2, 2000} {
					var parts []string
					for part := range slices.Chunk([]byte(text), len(text)/pieces+1) {
						parts = append(parts, string(part))
					}
					f.server.Play(faultnet.Raw("", parts...))
					response, _, err := f.send(t.Context(), samples[5], once)
					require.NoError(t, err, "%.99q", text)
					assert.Equal(t, body, string(response.Body))
				}
			}
			assert.Equal(t, 1, f.server.Accepted())
		})
	}
}
