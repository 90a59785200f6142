// Package broken ends responses in ways in which a good server does not. Those that need the connection itself take it
// from net/http; where it cannot be had, as over HTTP/2 and in a recorder, the request is aborted without a response,
// which is how a handler closes a connection.
package broken

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
)

// Close closes the connection without a byte.
func Close(w http.ResponseWriter) { raw(w, "", (net.Conn).Close) }

// Reset resets the connection without a byte. A connection that is no socket is closed.
func Reset(w http.ResponseWriter) { raw(w, "", reset) }

// CloseWithin sends half of the body, or of the head where there is no body, and closes the connection.
func CloseWithin(w http.ResponseWriter, status int, body []byte) {
	raw(w, half(w.Header(), status, body), (net.Conn).Close)
}

// ResetWithin sends half of the body, or of the head where there is no body, and resets the connection.
func ResetWithin(w http.ResponseWriter, status int, body []byte) {
	raw(w, half(w.Header(), status, body), reset)
}

// ResetBehind sends the whole response and resets the connection. What the client has not received by then, which is
// nothing unless the response is large, may get lost.
func ResetBehind(w http.ResponseWriter, status int, body []byte) {
	raw(w, head(w.Header(), status, len(body))+string(body), reset)
}

// Short promises half of the body, sends the whole of it, and closes the connection.
func Short(w http.ResponseWriter, status int, body []byte) {
	raw(w, head(w.Header(), status, len(body)/2)+string(body), (net.Conn).Close)
}

// Trickle sends the body a byte at a time, and waits before each.
func Trickle(ctx context.Context, w http.ResponseWriter, status int, body []byte, interval time.Duration) {
	w.Header().Set("Content-Length", fmt.Sprint(len(body)))
	w.WriteHeader(status)
	control := http.NewResponseController(w)
	for i := range body {
		_ = control.Flush() // What cannot be flushed arrives at the end.
		if !Wait(ctx, interval) {
			panic(http.ErrAbortHandler)
		}
		if _, err := w.Write(body[i : i+1]); err != nil {
			return
		}
	}
}

// endless is how long an endless body is for a client that reads on. It keeps a recorder from taking all memory.
const endless = 256 << 20

// Endless sends a JSON text that does not end, until the client has had enough.
func Endless(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusOK)
	_, err := io.WriteString(w, `{"data":"`)
	more := bytes.Repeat([]byte{'x'}, 64<<10)
	for sent := 0; err == nil && sent < endless; sent += len(more) {
		_, err = w.Write(more)
	}
	panic(http.ErrAbortHandler)
}

// Wait waits, and reports whether the context has not ended.
func Wait(ctx context.Context, delay time.Duration) bool {
	timer := time.NewTimer(delay)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// raw takes the connection, writes to it as it is, and ends it.
func raw(w http.ResponseWriter, text string, end func(net.Conn) error) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	_, _ = io.WriteString(conn, text) // A client that has gone away needs no response.
	_ = end(conn)
}

// reset closes a connection so that the peer's system says that it was reset.
func reset(conn net.Conn) error {
	if socket, is := conn.(*net.TCPConn); is {
		_ = socket.SetLinger(0)
	}
	return conn.Close()
}

// head is a response up to its body.
func head(header http.Header, status, length int) string {
	var text strings.Builder
	fmt.Fprintf(&text, "HTTP/1.1 %d %s\r\n", status, http.StatusText(status))
	_ = header.Write(&text) // A builder takes everything.
	if length > 0 || status != http.StatusNoContent {
		fmt.Fprintf(&text, "Content-Length: %d\r\n", length)
	}
	return text.String() + "\r\n"
}

// half is the first part of a response.
func half(header http.Header, status int, body []byte) string {
	text := head(header, status, len(body))
	if len(body) == 0 {
		return text[:len(text)/2]
	}
	return text + string(body[:len(body)/2])
}
