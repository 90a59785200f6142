// Package rpcfleet is a client for the QuickNode API, a service that sells blockchain-access endpoints: every operation
// of its admin area (the Console API), its alerts (QuickAlerts) and its graph of NFT and token data, typed, paged, and
// retried where that is safe. The live service was observed at https://api.quicknode.com, with alerts under
// /quickalerts/rest/v1 ([WithAlertsPath]).
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
// The fields of a [Client] are the services, a service's methods the operations; [Operations] lists them. Every method
// takes a context first and options of the call last. Records and parameters are generated from the service's contract
// and live in packages admin, alerts and graph, which hold no plumbing; values that the service spells in several ways,
// or that are secret, have types of package scalar. Package alerts also receives webhook deliveries. The Graph service
// is a client for the code that genqlient generates, too. Package emulator is the service in memory, for tests.
//
// # Arguments
//
// A method takes ids and other single values first, and then at most one struct of parameters, by value: one of the
// area's package, whose zero value narrows nothing down and leaves the rest to the service. A nil pointer in it is left
// out; new(20) is a pointer to 20.
//
// What the service's contract states about an argument is checked before anything is sent; a [*ValidationError] names
// the field, the rule and the value. [WithoutValidation] turns this off. An id that is empty, "." or ".." is always
// refused: it would lead to another operation. So is one that a router would take for a fixed part of another
// operation's path, such as the endpoint id "tags".
//
// # Responses
//
// A call that fails is an [*Error]: match it with errors.Is against the sentinels, such as [ErrNotFound], or look at
// its fields. A failure that the service states with a success status is an [*Error] as well. A response that cannot be
// read is a [*DecodeError] with a reason: an HTML page, a body cut short, an empty body, the response to a create
// without an id. Fields and enum values that are newer than this version never fail a call. [WithResponse] gives the
// raw response.
//
// A write whose response has any success status was carried out, unless the response states a failure: it never fails
// for want of a record. Services have been seen to respond with nothing, {}, true or null where a record is documented.
// A method that changes what the caller has named then returns a record of what was named and sent, and sets
// [Response.NoRecord]. A method that creates what only the service can name returns a [*DecodeError] that matches
// [ErrNoRecord]: the thing exists, and a listing tells its id. A create that got no usable response may have been
// carried out all the same: its error matches [ErrOutcomeUnknown], and the methods that begin with Find tell whether
// the thing exists. See [Lookup].
//
// # Retries
//
// Reads, and writes that set a value, are tried again after connection errors and the statuses 408, 425, 429, 500, 502,
// 503 and 504. A call that creates something is tried again only where the service cannot have acted on it: no
// connection was made, nothing was sent, the status was 429, or HTTP/2 returned the request unprocessed. Nothing below
// this library repeats a request, so that every attempt is counted, paced and observed; see [WithHTTPClient] for the
// exception. If an idle connection turns out to be closed before anything was sent, the request moves to another one,
// which is not an attempt. One that was returned unprocessed is sent once more at once, even if retries are off.
// All calls of a client share a retry quota ([RetryPolicy.Quota]), so that a fleet does not multiply the load of a
// service that is down; an error says when it ended the retries.
//
// The wait is drawn evenly from zero to a ceiling that doubles (full jitter) and ends with the context. Retry-After is
// waited for in both its forms, up to [RetryPolicy.MaxRetryAfter]; a longer one, or one that the context would not
// survive, ends the call at once with an [*Error] that carries it. A repeated delete that finds nothing has succeeded,
// unless it owes a report as bulk operations do: the response to an earlier attempt got lost. See [WithRetryPolicy] for
// the numbers.
//
// # Secrets
//
// Credentials go to the base URL's origin and nowhere else: a redirect to another origin, or one that changes the
// method, is not followed. Plain http is refused except on loopback and under [WithInsecureHTTP]. Keys, tokens and
// endpoint addresses do not appear in errors, logs, JSON or printed values; Reveal reads them, and URL of an address.
// [scalar.WithSecrets] writes a record with its secrets, to read it back later. Records print what they hold, bounded.
// [WithResponse] keeps a response as it came, secrets included, and prints as a summary.
package rpcfleet

// Version is the version of this library, as the User-Agent header carries it.
const Version = "0.1.0"
