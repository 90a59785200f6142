// Package admin contains the records, parameters and enums of the admin area: the account, endpoints with their
// security and limits, tags, teams, logs, metrics, usage and billing. The services of package rpcfleet accept and
// return them. They are generated from the service's contract; the comment of a field notes if it is observed or
// assumed instead.
//
// Nullable and optional values are pointers; lists and maps are not. Enums are open string types: unknown values decode
// like any other, and Valid reports whether a value is known. Values that the service sends in several formats, and
// values that must not appear in a log, have types of package scalar.
package admin
