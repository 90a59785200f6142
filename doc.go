// Package rpcfleet is a client for the QuickNode API, a service that sells blockchain-access endpoints. It covers every
// operation of the admin area (the Console API), the alerts area (QuickAlerts) and the graph area (NFT and token data),
// with typed records, iterators over listings, and safe retries. The live service was observed at
// https://api.quicknode.com, with alerts under /quickalerts/rest/v1 ([WithAlertsPath]).
//
//	client, err := rpcfleet.New(rpcfleet.WithBaseURL(address), rpcfleet.WithAPIKey(key))
//	if err != nil {
//		return err
//	}
//	for endpoint, err := range client.Endpoints.All(ctx, admin.ListEndpointsParams{}) {
//		if err != nil {
//			return err
//		}
//		fmt.Println(endpoint.Name, endpoint.Network, endpoint.Status)
//	}
//
// Each field of a [Client] is a service, and each method of a service is an operation; [Operations] lists them. Every
// method takes a context first and call options last. Records and parameters are generated from the service's contract,
// in packages admin, alerts and graph. Values with several encodings and secret values have types of package scalar.
// Package alerts also receives webhook deliveries. The Graph service is also a client for code that genqlient
// generates. Package emulator is the service in memory, for tests.
//
// # Arguments
//
// A method takes ids and other single values first, followed by at most one struct of parameters, by value. The zero
// struct selects everything and uses the service's defaults. Nil pointer fields are omitted; new(20) is a pointer to
// 20.
//
// Arguments are checked against the contract before anything is sent. If one is invalid, the error is a
// [*ValidationError] with the field, the rule and the value. [WithoutValidation] turns these checks off. An id that is
// empty, "." or ".." is always rejected, since it would lead to another operation. So is an id that a router would take
// for a literal segment of another operation's path, such as the endpoint id "tags".
//
// # Responses
//
// A failed call returns an [*Error]; test it with errors.Is against the sentinels, for example [ErrNotFound]. If a
// response with a success status reports a failure, the error is an [*Error] too. If a response cannot be decoded, the
// error is a [*DecodeError] with a reason, such as an HTML page, a truncated or empty body, or a create without an id.
// Unknown fields and enum values never cause an error. [WithResponse] captures the raw response.
//
// If the response to a write has a success status and reports no failure, the service has executed the write. Responses
// may be empty, {}, true or null instead of a documented record (observed). A method that changes an object the caller
// has named still succeeds: it returns a record of the values sent and sets [Response.NoRecord].
//
// If a create fails and the service may have executed it, the error matches [ErrOutcomeUnknown]. The create is not
// retried. Call the corresponding Find method to check whether the object exists before you retry: see [Lookup]. If the
// service reports success but returns no id, the error matches [ErrNoRecord] too: the object exists, and a listing
// contains its id.
//
// # Retries
//
// Reads, and writes that set a value, are retried after connection errors and after status 408, 425, 429, 500, 502, 503
// and 504. A create is retried only if the service cannot have executed it: no connection was made, nothing was sent,
// the status was 429, or HTTP/2 returned the request unprocessed. No layer below this package retries, so every attempt
// is counted, rate-limited and observed; [WithHTTPClient] describes the exception. If an idle connection was closed
// before anything was sent, the request uses another connection within the same attempt. If a request was returned
// unprocessed, it is sent once more immediately, even if retries are off. All calls of a client share a retry budget
// ([RetryPolicy.Budget]), so that a fleet does not amplify an outage. If the budget ended the retries, the error
// reports it.
//
// The wait is random between zero and a ceiling that doubles (full jitter), and ends with the context. Retry-After is
// honored in both formats, up to [RetryPolicy.MaxRetryAfter]. If it is longer, or exceeds the context's deadline, the
// call ends immediately with an [*Error] that contains it. If a retried delete finds nothing, it succeeds, since the
// response to an earlier attempt was lost; bulk operations, which return a report, are excluded. [WithRetryPolicy]
// documents the numbers.
//
// # Secrets
//
// Credentials are sent only to the origin of the base URL: if a redirect leads to another origin or changes the method,
// it is not followed. Plain http is rejected except on loopback and with [WithInsecureHTTP]. Keys, tokens and endpoint
// URLs do not appear in errors, logs, JSON or printed values; read them with Reveal, or with URL for a URL.
// [scalar.WithSecrets] encodes a record with its secrets, so that it can be decoded later. Records print their fields
// in bounded length. [WithResponse] keeps the raw response, including secrets, and prints as a summary.
package rpcfleet

// Version is the version of this package in the User-Agent header.
const Version = "0.1.0"
