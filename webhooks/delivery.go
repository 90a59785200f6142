package webhooks

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"

	"github.com/rpcfleet/rpcfleet-go/internal/redact"
)

// Delivery is a verified payload that a Receiver has received.
type Delivery struct {
	// Payload is the uncompressed body, which is valid JSON in UTF-8. It is nil if a GET has no body.
	Payload json.RawMessage
	// Batch is the metadata of a delivery of Streams, or nil if the delivery has none in its headers.
	Batch *Batch
	// Method is POST or GET.
	Method string
	// RawQuery is the encoded query of the URL. It is not signed.
	RawQuery string
	// Headers are the headers of the signature. To pass on other headers, put them into the request's context in an
	// http.Handler around the Receiver.
	Headers Headers
}

// Batch is the metadata of a delivery of Streams, if the stream sends it in headers (observed). It is not signed. If a
// header is missing, its text is empty or its number nil. A number is also nil if its header is not an integer.
//
// After a reorganization of the chain, a batch can come again, with the same range and another nonce and signature. It
// is not a duplicate: the callback runs, and its work should replace the earlier one of that range.
type Batch struct {
	StreamID, StreamName, Network, Dataset string
	// Start and End are the first and the last block of the batch.
	Start, End *int64
	// StreamStart and StreamEnd are the range of the stream.
	StreamStart, StreamEnd *int64
}

// Format prints the numbers of a batch, not their addresses.
func (b Batch) Format(state fmt.State, _ rune) { redact.Record(state, b) }

func readBatch(header http.Header) *Batch {
	number := func(name string) *int64 {
		value, err := strconv.ParseInt(header.Get(name), 10, 64)
		if err != nil {
			return nil
		}
		return &value
	}
	batch := Batch{
		StreamID: header.Get("Stream-Id"), StreamName: header.Get("Stream-Name"),
		Network: header.Get("Stream-Network"), Dataset: header.Get("Stream-Dataset"),
		Start: number("Batch-Start-Range"), End: number("Batch-End-Range"),
		StreamStart: number("Stream-Start-Range"), StreamEnd: number("Stream-End-Range"),
	}
	if batch == (Batch{}) {
		return nil
	}
	return &batch
}

// Callback handles a delivery. Its context is the request's: it ends if the sender closes the connection, and after the
// timeout of [WithDedupStore].
//
// If the callback returns nil, the response is a 200. If it returns an error made by Permanent, the response is a 422,
// which asks the sender not to retry. A duplicate gets the same status again, and the callback does not run for it. If
// the callback returns any other error or panics, the response is a 500 or a closed connection. The sender should
// retry, and the callback then runs again.
type Callback func(ctx context.Context, delivery *Delivery) error

// Permanent marks an error of a Callback as one that a retry would not fix. It returns nil if err is nil. Streams was
// observed to retry after any status but a 2xx, and to deliver nothing else meanwhile: to skip a payload, return nil.
func Permanent(err error) error {
	if err == nil {
		return nil
	}
	return &permanentError{err}
}

type permanentError struct{ cause error }

func (e *permanentError) Error() string { return e.cause.Error() }
func (e *permanentError) Unwrap() error { return e.cause }
