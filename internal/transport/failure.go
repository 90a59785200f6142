package transport

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
)

// Kind is the reason why an attempt has no complete response.
type Kind string

// The kinds of failure.
const (
	Unsent     Kind = "not sent"                // The request could not be prepared; nothing was sent.
	Connection Kind = "connection failed"       // Connecting failed, or the connection was lost before the response began.
	Timeout    Kind = "timed out"               // The attempt's time limit expired.
	Canceled   Kind = "canceled"                // The caller's context ended.
	Truncated  Kind = "response cut short"      // The response ended early.
	TooLarge   Kind = "response too large"      // The response was larger than the call allows.
	Faulty     Kind = "HTTP transport at fault" // The configured RoundTripper violated the http.RoundTripper contract.
)

// Failure is the error of an attempt without a complete response. Its text and its fields contain no URL, header or
// body, since callers reach it with errors.Unwrap and may log it in any form.
type Failure struct {
	Kind Kind
	// Err is the cause, without the request's URL.
	Err error

	reach reach
}

// Error describes the failure without the request's address.
func (f *Failure) Error() string { return string(f.Kind) + ": " + f.Err.Error() }

// Unwrap returns the cause.
func (f *Failure) Unwrap() error { return f.Err }

// unsentFailure is the failure of a request that was not sent, and that a retry would not send either.
func unsentFailure(err error) *Failure { return &Failure{Kind: Unsent, Err: err, reach: unsent} }

// failureOf returns the *Failure that an error wraps, or a new one.
func failureOf(err error) *Failure {
	if failure, ok := errors.AsType[*Failure](err); ok {
		return failure
	}
	return &Failure{Kind: Connection, Err: withoutAddress(err)}
}

// withoutAddress removes every *url.Error around an error.
func withoutAddress(err error) error {
	for wrapped, ok := errors.AsType[*url.Error](err); ok; wrapped, ok = errors.AsType[*url.Error](err) {
		err = wrapped.Err
	}
	return err
}

// reach describes how far a request got if it failed before its response began.
type reach int

const (
	unknown     reach = iota // The service may have executed the request.
	unsent                   // No complete request was sent.
	unprocessed              // The service reported that it did not process the request.
)

// netHTTPErrors are unexported errors of net/http's connections, by prefix of their text, as of Go 1.26 and 1.27. If a
// release changes a text, the failure becomes unknown, which is safe.
var netHTTPErrors = map[string]reach{
	"http: server closed idle connection":                         unsent,
	"readLoopPeekFailLocked: ":                                    unsent,
	"http2: client conn not usable":                               unsent,
	"http2: Transport received Server's graceful shutdown GOAWAY": unprocessed,
	"http2: Transport received GOAWAY from server ErrCode:":       unprocessed,
}

// streamError is the error of an HTTP/2 stream: errors.As fills any struct with these fields from net/http's error.
type streamError struct {
	StreamID uint32
	Code     uint32
	Cause    error
}

func (streamError) Error() string { return "" }

// reachOf classifies the error of a request on an http.ClientConn.
func reachOf(err error) reach {
	if stream, ok := errors.AsType[streamError](err); ok && stream.Code == 7 { // REFUSED_STREAM: RFC 9113, section 7.
		return unprocessed
	}
	for ; err != nil; err = errors.Unwrap(err) {
		if fmt.Sprintf("%T", err) == "http.nothingWrittenError" {
			return unsent
		}
		for text, reach := range netHTTPErrors {
			if strings.HasPrefix(err.Error(), text) {
				return reach
			}
		}
	}
	return unknown
}

// reachOfOther classifies the error of a RoundTripper of the caller, which may have sent the request more than once.
func reachOfOther(err error) reach {
	op, _ := errors.AsType[*net.OpError](err)
	if op != nil && (op.Op == "dial" || op.Op == "proxyconnect") || errors.As(err, new(*net.DNSError)) {
		return unsent
	}
	return unknown
}
