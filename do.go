package rpcfleet

import (
	"context"
	"reflect"
)

// Do carries out a call of any operation: one that this version has no method for, or one whose method cannot say or
// read what is needed. It is a call like any other, with the credentials, retries, pacing, observers, options and
// errors of the client. Where the method and the path are those of one of [Operations], whatever the names of its path
// parameters, what is known of it holds for the call, and the outcome is that of its method. What the contract states
// about its arguments is not checked, only that they lead to this operation.
//
// T is what the payload of the response is decoded into:
//
//   - a record of packages admin and alerts, a pointer to one, a list of them, or a type of the caller's own with the
//     tags of encoding/json;
//   - json.RawMessage, for the JSON itself;
//   - []byte or string, for the body as it came, if the response names a content type that is not JSON;
//   - [Page] or [CursorPage] of records, for a page of a listing with what is told beside its items;
//   - struct{}, where it matters only whether it happened. HEAD has no other.
//
// A write that the service carried out, and whose response lacks what T is to be made of, is a [*DecodeError] that
// matches [ErrCarriedOut].
func Do[T any](ctx context.Context, client *Client, request Request, opts ...CallOption) (T, error) {
	var made, none T
	if client == nil || client.engine == nil {
		return none, &ValidationError{Field: "client", Rule: "must be one that New has made"}
	}
	d, err := newDirect(client.engine, &request, reflect.TypeFor[T](), opts)
	if err != nil {
		return none, err
	}
	if page := pageIn(&made); page != nil {
		err = page.receive(ctx, d)
	} else {
		made, err = receive[T](ctx, d)
	}
	if err != nil {
		return none, err
	}
	return made, nil
}
