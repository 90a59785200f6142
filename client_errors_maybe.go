package rpcfleet

import "errors"

// ErrMaybeCarriedOut matches the error of a call that is not idempotent, such as a create, and that the service may
// have carried out: no complete response came to a request that may have arrived, or it came with the status 408 or any
// status that is neither 2xx nor 4xx, or it cannot be read. So does every [ErrCarriedOut]. To make the call again may
// do the same thing twice. The methods that begin with Find tell whether what was to be created exists: see [Lookup].
//
// An error that does not match it says that nothing was carried out: what a call that is idempotent was to set can be
// set again in any case.
var ErrMaybeCarriedOut = errors.New("rpcfleet: the service may have carried the call out")
