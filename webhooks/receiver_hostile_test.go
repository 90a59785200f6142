package webhooks_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/webhooks"
)

// TestReceiver_stalledConnectionsUseLittleMemory: 100 connections announce a body of nearly 1 MiB each, or send a gzip
// that would be as large if its last byte came.
func TestReceiver_stalledConnectionsUseLittleMemory(t *testing.T) {
	const connections, announced = 100, 1<<20 - 1
	zeros := strings.Repeat("\x00", announced-1)
	bomb := zipped(t, zeros)
	for name, test := range map[string]struct {
		head   string
		length int
		body   string
	}{
		"little of the body":            {"", announced, zeros[:1<<10]},
		"too old, and most of the body": {"X-Qn-Timestamp: 1\r\n", announced, zeros},
		"most of a gzip":                {"Content-Encoding: gzip\r\n", len(bomb), bomb[:len(bomb)-1]},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				receiver := newReceiver(t, nil)
				var senders sync.WaitGroup
				conns := make([]*wire, 0, connections)
				before := heap()
				for i := range connections {
					conn := dial(t, receiver)
					conns = append(conns, conn)
					head := conn.head(fmt.Sprintf("n%d", i), fmt.Sprintf("%sContent-Length: %d", test.head, test.length))
					senders.Go(func() { // It ends early if the connection is closed.
						body := io.LimitReader(strings.NewReader(test.body), announced)
						_, _ = io.CopyBuffer(conn, io.MultiReader(strings.NewReader(head), body), make([]byte, 1<<10))
					})
				}
				synctest.Wait()
				held := heap() - before
				t.Logf("%d bytes a connection", held/connections)
				assert.Less(t, held, int64(connections*announced/4))
				for _, conn := range conns {
					conn.Close()
				}
				senders.Wait()
				time.Sleep(time.Minute) // The server's ends linger.
			})
		})
	}
}

// heap returns how many bytes are in use.
func heap() int64 {
	runtime.GC()
	runtime.GC() // Two collections are needed to empty pools.
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}

func TestReceiver_cutsOffEndlessBody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		conn := dial(t, newReceiver(t, nil, webhooks.WithMaxBody(1000)))
		conn.write(t, conn.head("n1", "Transfer-Encoding: chunked"))
		sent := make(chan int)
		go func() {
			n, _ := io.WriteString(conn, strings.Repeat("8\r\n        \r\n", 1<<20))
			sent <- n
		}()
		assert.Equal(t, http.StatusRequestEntityTooLarge, conn.response(t).StatusCode)
		conn.closes(t)
		assert.Less(t, <-sent, 1<<20, "net/http drops 256 KiB of it at most")
	})
}

// TestReceiver_disconnectBeforeEndAllowsRedelivery: if the sender leaves in the middle of its body, nothing has
// happened; if it leaves while the callback runs, the context ends and the delivery may come again.
func TestReceiver_disconnectBeforeEndAllowsRedelivery(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		runs := 0
		receiver := newReceiver(t, func(ctx context.Context, _ *webhooks.Delivery) error {
			runs++
			<-ctx.Done()
			return ctx.Err()
		})
		send := func(length int) *wire {
			conn := dial(t, receiver)
			conn.write(t, conn.head("n1", fmt.Sprintf("Content-Length: %d", length))+"{}")
			synctest.Wait()
			return conn
		}
		for i, length := range []int{100, 2, 2} {
			conn := send(length)
			assert.Equal(t, i, runs, "not for a part of a body, and again if the context has ended")
			if length == 2 {
				assert.Equal(t, http.StatusServiceUnavailable, send(2).response(t).StatusCode)
			}
			require.NoError(t, conn.Close())
			synctest.Wait()
		}
	})
}

// TestReceiver_lateBodyOfDuplicateIsRefused: the headers of a copy are judged in time, and its body arrives when the
// guard has forgotten the delivery.
func TestReceiver_lateBodyOfDuplicateIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		runs := make(map[string]int)
		receiver := newReceiver(t, func(_ context.Context, d *webhooks.Delivery) error { runs[d.Headers.Nonce]++; return nil },
			webhooks.WithTolerance(time.Minute))
		send := func(nonce string, signed time.Time) *wire {
			conn := dial(t, receiver)
			conn.write(t, conn.headAt(nonce, "{}", "Content-Length: 2", signed))
			return conn
		}
		finish := func(conn *wire) int {
			conn.write(t, "{}")
			return conn.response(t).StatusCode
		}
		ahead := time.Now().Add(time.Minute)
		assert.Equal(t, http.StatusOK, finish(send("n1", ahead)))
		time.Sleep(2 * time.Minute)
		late := send("n1", ahead)
		synctest.Wait()
		time.Sleep(2 * time.Second)
		assert.Equal(t, http.StatusOK, finish(send("n2", time.Now())), "which makes the guard forget the first")
		assert.Equal(t, http.StatusUnauthorized, finish(late))
		assert.Equal(t, map[string]int{"n1": 1, "n2": 1}, runs)
	})
}

// TestReceiver_refusalOverHTTP2EndsOneStream: the others on its connection go on.
func TestReceiver_refusalOverHTTP2EndsOneStream(t *testing.T) {
	var connections int
	server := httptest.NewUnstartedServer(newReceiver(t, nil))
	server.EnableHTTP2 = true
	server.Config.ConnContext = func(ctx context.Context, _ net.Conn) context.Context { connections++; return ctx }
	server.StartTLS()
	t.Cleanup(server.Close)
	for i := range 3 {
		reader, writer := io.Pipe()
		request := must(http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL, reader))(t)
		sign(t, request, fmt.Sprintf("n%d", i), time.Now())
		request.Header.Set("x-qn-timestamp", "1")
		response := must(server.Client().Do(request))(t)
		response.Body.Close()
		writer.Close()
		assert.Equal(t, 2, response.ProtoMajor)
		assert.Equal(t, http.StatusUnauthorized, response.StatusCode, "although the body has not ended")
	}
	assert.Equal(t, 1, connections)
}
