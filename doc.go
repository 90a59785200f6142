// Package rpcfleet is a client for the QuickNode API, a service that sells blockchain-access endpoints.
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
//   - the account: [AccountService], [BillingService], [ChainsService], [TagsService], [TeamsService]
//   - endpoints: [EndpointsService], [SecurityService], [RateLimitsService], [LogsService], [MetricsService],
//     [UsageService], [ToolingService]
//   - data that is delivered: [WebhooksService], [StreamsService], and [KeyValueService] with lists that filters read
//   - ended (observed) and deprecated, but working: alerts, which are [DestinationsService], [NotificationsService] and
//     [ExpressionsService], and NFT and token data, which is [GraphService]
//
// Records and parameters are in packages admin, webhooks, streams, keyvalue, alerts and graph, secrets and numbers in
// package scalar. Package webhooks also receives deliveries; package emulator is the service in memory, for tests. In
// comments, "observed" marks facts from the live service that are not in the contract, and "assumed" marks guesses.
//
// # Arguments and responses
//
// Methods take ids and other single values first, followed by at most one struct of parameters. Nil pointer fields are
// omitted; new(20) is a pointer to 20. A nil context, option or argument of an option is an error that names it.
// Arguments are checked against the contract before anything is sent: the error is a [*ValidationError]. An id that
// leads to another operation, such as "..", is always rejected.
//
// If the service reports a failure, whatever the status, or there is no response, the error is an [*Error]; test it
// with errors.Is: [ErrNotFound] if an object does not exist, [ErrInvalidRequest] if the service rejects an argument. If
// a response cannot be decoded, the error is a [*DecodeError]. Unknown fields and enum values never cause an error:
// records keep unknown fields in Extra, except in the graph area.
//
// If a create fails and the service may have executed it, the error matches [ErrOutcomeUnknown]; if it was executed and
// its id is unknown, [ErrNoRecord] too. The create is not retried; [WithCreateOnce] looks for its object. A method that
// changes an object succeeds without a record in the response (observed): it returns the sent values and sets
// [Response.NoRecord].
//
// List returns one page. Pages and All fetch a page when the loop reaches it, or earlier with [WithPrefetch], and
// nothing after a break. If a call fails, the iteration ends with a [*PageError] with the position to resume from.
//
// # Retries
//
// Reads, and writes that set a value, are retried after connection errors and after status 408, 425, 429, 500, 502, 503
// and 504. A create is retried only if the service cannot have executed it: no connection was made, nothing was sent,
// the status was 429, or HTTP/2 returned the request unprocessed. [RetryPolicy] has the waits, the limit of Retry-After
// and the budget that all calls share. If a retried delete finds nothing, it succeeds: an earlier response was lost.
//
// # Secrets
//
// Credentials are sent only to the origin of the base URL. Keys, tokens and endpoint URLs do not appear in errors, logs,
// JSON or printed values; read them with Reveal, or with URL for a URL. [scalar.WithSecrets] encodes a record with its
// secrets.
package rpcfleet
