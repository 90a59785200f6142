package rpcfleet

import (
	"bytes"
	"context"
	"errors"
	"reflect"

	"github.com/rpcfleet/rpcfleet-go/internal/envelope"
)

// receive carries out a call of Do and returns the payload of its response.
func receive[T any](ctx context.Context, d *direct) (T, error) {
	content, err := receiveContent[T](ctx, d)
	return content.Data, err
}

// receiveContent carries out a call of Do and returns what its response holds.
func receiveContent[T any](ctx context.Context, d *direct) (content envelope.Content[T], err error) {
	wanted := reflect.TypeFor[T]() != nothing
	err = d.send(ctx, func(r *response) error {
		if r.alreadyDeleted() {
			if wanted {
				return r.withoutPayload()
			}
			return nil
		}
		if r.readText(&content.Data) {
			return nil
		}
		read, err := envelope.Read[T](r.reading(ctx), &d.reads, r.Header.Get("Content-Type"), r.Body)
		switch {
		case err != nil && d.lenient:
			return r.writeError(ctx, err)
		case err != nil:
			return r.readError(ctx, err)
		case read.NoRecord:
			return r.withoutPayload()
		}
		nameParts(&read.Data)
		content = read
		return nil
	})
	return content, err
}

// readText makes a []byte or a string of a body whose content type is not JSON, and reports whether it did.
func (r *response) readText(into any) bool {
	if envelope.MayBeJSON(r.Header.Get("Content-Type")) {
		return false
	}
	switch into := into.(type) {
	case *[]byte:
		*into = bytes.Clone(r.Body)
	case *string:
		*into = string(r.Body)
	default:
		return false
	}
	return true
}

// writeError is readError for the response to a write that lacks the payload. A null in its place does not say that
// there is no such thing, and to be idempotent does not make the write one that was not carried out.
func (r *response) writeError(ctx context.Context, err error) error {
	var malformed *envelope.Malformed
	if errors.As(err, &malformed) {
		malformed.NotFound = false
	}
	err = r.readError(ctx, err)
	var unread *DecodeError
	if errors.As(err, &unread) && unread.lacksRecord() {
		unread.carriedOut = true
		r.recorded(false)
	}
	return err
}

// withoutPayload describes the response to a write that was carried out, where nothing came that was asked for.
func (r *response) withoutPayload() error {
	return r.writeError(context.Background(), &envelope.Malformed{Reason: envelope.NoData})
}
