package rpcfleet

import "context"

// WithDrift has a function told of every way in which responses stray from the contract, as an option of New those of
// every call of the client. Without it nobody looks: reading is liberal, and fails for a value that it cannot read.
// With it, such a value is left out of its record, which keeps it in its Extra, and the rest of the response is read;
// an id, a listing, and what is in no record still fail the call.
//
// The function is called before the method returns, once for each drift of the last attempt's response, and from as
// many goroutines as the client is used on. Responses with an error status are looked at too; a body that is no JSON is
// not.
//
// A response of the graph area is held against the schema and against what the method's query asks for, a null that an
// error of the response is about apart. Of the data in a response to a query of the caller's own, by [graph.Query] or
// the [GraphService] as a graphql.Client, nothing is known: only its status and what is around the data are looked at,
// and no value is left out. Records of the graph area have their Extra filled only with this option.
func WithDrift(report func(ctx context.Context, drift Drift)) SharedOption {
	return sharedOption(func(s *callSettings) error {
		if report == nil {
			return &ValidationError{Field: "drift function", Rule: "must not be nil"}
		}
		s.drift = report
		return nil
	})
}
