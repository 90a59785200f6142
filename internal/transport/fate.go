package transport

import (
	"errors"
	"fmt"
	"net"
	"strings"
)

// fate says how far a request got that failed before its response began.
type fate int

const (
	// unknown means that the service may have carried it out.
	unknown fate = iota
	// unsent means that no complete request left this machine.
	unsent
	// unprocessed means that the service has said that it did not look at it.
	unprocessed
)

// fate judges the failure of a sending. What is not recognized is unknown.
//
// Where net/http does not export what it knows, this file reads its texts and type names, those of Go 1.26, which tests
// pin. A Go release that words them differently makes failures unknown, not wrong.
func (s *sending) fate(err error) fate {
	switch {
	case !s.connected.Load():
		if neverConnected(err) {
			return unsent
		}
	case s.repeated.Load():
		// The failure is that of the last of several sendings.
	case !s.wrote.Load(), s.guard != nil && s.guard.kept(s.request), anyIn(err, nothingWritten):
		return unsent // The connection was dead before the request's head was complete, or before it left the buffer.
	case anyIn(err, turnedAway):
		return unprocessed
	}
	return unknown
}

// neverConnected reports whether no connection could be made. That none was reported is not enough: a transport of the
// caller's own may not report connections.
func neverConnected(err error) bool {
	var op *net.OpError
	var dns *net.DNSError
	var handshake *handshakeError
	return errors.As(err, &handshake) || errors.As(err, &op) && (op.Op == "dial" || op.Op == "proxyconnect") || errors.As(err, &dns)
}

// nothingWritten reports whether HTTP/1 found its idle connection dead before a byte of the request left: with the
// first write, or because the end of the connection, or a failure of it, was read before the write began. What net/http
// reads while a write begins, it takes for the end of a response now and then: only a guard knows.
func nothingWritten(err error) bool {
	return fmt.Sprintf("%T", err) == "http.nothingWrittenError" ||
		err.Error() == "http: server closed idle connection" || strings.HasPrefix(err.Error(), "readLoopPeekFailLocked: ")
}

// turnedAway reports whether the peer returned an HTTP/2 stream unprocessed (RFC 9113, 8.7): with REFUSED_STREAM, or by
// a GOAWAY whose last stream is an earlier one.
func turnedAway(err error) bool {
	text := withoutAdvice(err).Error()
	if rest, ok := strings.CutPrefix(text, "stream error: stream ID "); ok {
		_, code, _ := strings.Cut(rest, "; ")
		return code == "REFUSED_STREAM; received from peer"
	}
	return text == "http2: Transport received Server's graceful shutdown GOAWAY" ||
		strings.HasPrefix(text, "http2: Transport received GOAWAY from server ErrCode:")
}

// withoutAdvice returns what net/http would have repeated, had it got a body for it, without its advice to give it one.
// What it wraps in that advice it keeps only the text of.
func withoutAdvice(err error) error {
	text, refused := strings.CutPrefix(err.Error(), "http2: Transport: cannot retry err [")
	text, advised := strings.CutSuffix(text, "] after Request.Body was written; define Request.GetBody to avoid this error")
	if refused && advised {
		return errors.New(text)
	}
	return err
}

// anyIn reports whether a test holds for an error or for one that it wraps.
func anyIn(err error, test func(error) bool) bool {
	for ; err != nil; err = errors.Unwrap(err) {
		if test(err) {
			return true
		}
	}
	return false
}
