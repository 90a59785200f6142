// Package alerts contains the types of the alerts area. The records, parameters and enums are generated from the
// service's contract; the services of package rpcfleet accept and return them. [HMACVerifier] is written by hand: it
// verifies the deliveries to a destination for a receiver of package webhooks.
//
// Only five operations of this area are part of the service's contract. The others are observed: they were derived from
// public material about the service, and their comments note it. The signature scheme of deliveries is observed, too.
//
// In a request for a change, nil leaves a field as it is. In a response, a null is the zero value, except in a pointer.
// Extra contains the fields of a response that this version does not know.
//
// Deprecated: The alerts area has ended (on 2025-07-31, observed). Webhooks and Streams succeed it. This package keeps
// working.
package alerts
