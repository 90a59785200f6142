package rpcfleet

import (
	"cmp"
	"net/url"
	"reflect"
	"slices"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
)

// direct is a call of Do.
type direct struct {
	*call

	// reads describes the response as it is read, which is not that of the operation where the caller asks for
	// something else.
	reads api.Operation
	query url.Values
	// lenient is set for a write that does not promise what the caller asks for.
	lenient bool
}

// newDirect checks a request and makes the call of it, whose response is to become a value of the type.
func newDirect(e *engine, r *Request, payload reflect.Type, opts []CallOption) (*direct, error) {
	if broken := r.check(payload); broken != nil {
		return nil, broken.cleaned()
	}
	op := r.operation()
	d := &direct{reads: *op, query: r.Query, lenient: !isSafe(r.Method) && !promisesPayload(op)}
	d.reads.Response = responseKind(op, r.Bare, d.lenient, payload)
	if r.Bare {
		d.reads.Area = api.AreaAlerts // It is the one without envelopes.
	}
	op.Response = cmp.Or(op.Response, d.reads.Response)
	if bodyAsItCame(payload) {
		opts = append(slices.Clip(opts), acceptAny)
	}
	values, broken := r.pathParameters()
	request := api.NewRequest(op, values...)
	request.Query, request.Body = api.QueryOf(r.Query), r.Body
	d.call = e.call(request, opts, broken, checkIdempotent(r.Idempotent, op))
	d.keepsBody = true                            // A type of the caller's own may keep what it is given.
	op.Idempotent = op.Idempotent || r.Idempotent // Where the two differ, the check has let it pass.
	return d, nil
}
