// Package rpcfleet is a client for the QuickNode API, a service that sells blockchain-access endpoints. The service has
// ended two areas (observed): alerts, which Webhooks and Streams succeed, and graph. The library's parts for them are
// deprecated, and keep working.
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
// Each field of a [Client] is a service, and each method of a service is an operation:
//
//   - Endpoints: [EndpointsService], [SecurityService], [RateLimitsService], [LogsService], [MetricsService]
//   - Account: [AccountService], [BillingService], [ChainsService], [TagsService], [TeamsService], [UsageService]
//   - Calls of many chains with one token: [ToolingService]
//   - Deliveries of blockchain data: [WebhooksService], [StreamsService], and [KeyValueService] for their filters
//   - Ended: [DestinationsService], [NotificationsService], [ExpressionsService] (alerts); [GraphService] (graph)
//
// [Do] calls any other operation. Records and parameters are in packages named after the areas: admin, webhooks,
// keyvalue, streams, alerts and graph. Package scalar has secrets and exact numbers, package webhooks receives
// deliveries, and package emulator is the service in memory, for tests. In comments, "observed" marks facts from the
// live service that the contract does not contain, and "assumed" marks guesses.
//
// # Creates
//
// If a create fails and the service may have executed it, the error matches [ErrOutcomeUnknown]; if it was executed and
// its id is unknown, [ErrNoRecord] too. The create is not retried; [WithCreateOnce] looks for its object. A method that
// changes an object succeeds without a record in the response (observed): it returns the sent values and sets
// [Response.NoRecord].
//
// # Secrets
//
// Credentials are sent only to the origin of the base URL. Keys, tokens and endpoint URLs do not appear in errors,
// logs, JSON or printed values; read them with Reveal, or with URL for a URL. [scalar.WithSecrets] encodes a record
// with its secrets.
//
// # Paging
//
// List returns one page. Pages and All fetch a page when the loop reaches it, or earlier with [WithPrefetch], and
// nothing after a break. If a call fails, the iteration ends with a [*PageError] with the position to resume from.
//
// # Arguments and errors
//
// Methods take ids and other single values first, followed by at most one struct of parameters. Nil pointer fields are
// omitted; new(20) is a pointer to 20. Arguments are checked against the contract before anything is sent: the error is
// a [*ValidationError]. An id that leads to another operation, such as "..", is always rejected.
//
// If the service reports a failure, whatever the status, or there is no response, the error is an [*Error]; test it
// with errors.Is: [ErrNotFound] if an object does not exist, [ErrInvalidRequest] if the service rejects an argument. If
// a response cannot be decoded, the error is a [*DecodeError]. Unknown fields and enum values never cause an error:
// records keep unknown fields in Extra, except in the graph area.
//
// # Retries
//
// Reads, and writes that set a value, are retried after connection errors and after status 408, 425, 429, 500, 502, 503
// and 504. A create is retried only if the service cannot have executed it: no connection was made, nothing was sent,
// the status was 429, or HTTP/2 returned the request unprocessed. [RetryPolicy] has the waits, the limit of Retry-After
// and the budget that all calls share. If a retried delete finds nothing, it succeeds: an earlier response was lost.
package rpcfleet
