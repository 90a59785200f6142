// Package admin holds the records, parameters and enums of the admin area: the account, endpoints with their security
// and limits, tags, teams, logs, metrics, usage and billing. The services of package rpcfleet take and return them.
// They are generated from the service's contract, and a field says where it is observed or assumed instead.
//
// Nullable and optional values are pointers, lists and maps are not. Enums are open string types: a value that is newer
// than this version decodes like any other, and Valid reports whether it is known. Values that the service spells in
// several ways, or that must not leak into a log, have types of package scalar.
package admin
