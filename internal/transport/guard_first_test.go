package transport

import (
	"io"
	"net"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestTheFirstResponseWaitsForItsRequest, since net/http takes what comes before that for unsolicited.
func TestTheFirstResponseWaitsForItsRequest(t *testing.T) {
	for name, then := range map[string]func(*guard) error{
		"until it is written":       func(g *guard) error { _, err := io.WriteString(g, "a request"); return err },
		"until the connection ends": (*guard).Close,
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client, service := net.Pipe()
				g := newGuard(client)
				g.give()
				go func() {
					_, _ = io.WriteString(service, "HTTP/1.1 503 Busy")
					_, _ = io.Copy(io.Discard, service)
				}()
				read := make(chan string, 1)
				go func() {
					p := make([]byte, 9)
					n, err := g.Read(p)
					assert.NoError(t, err)
					read <- string(p[:n])
				}()
				synctest.Wait()
				assert.Empty(t, read, "nothing is handed over yet")
				require.NoError(t, then(g))
				synctest.Wait()
				require.Len(t, read, 1)
				assert.Equal(t, "HTTP/1.1 ", <-read)
				require.NoError(t, g.Close())
				require.NoError(t, service.Close())
			})
		})
	}
}
