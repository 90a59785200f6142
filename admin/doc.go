// Package admin contains the records, parameters and enums of the admin area: the account, endpoints with their
// security and limits, tags, teams, logs, metrics, usage and billing. The services of package rpcfleet accept and
// return them. They are generated from the service's contract; the comment of a field notes if it is observed or
// assumed instead.
//
// In a request, an optional field is a pointer, and nil leaves the value as it is; lists and maps are not pointers. In
// a response, a number or a boolean is a pointer if its null has a meaning. Any other null is the zero value: an empty
// string, list or map, or a zero time. Extra contains the fields of a response that this version does not know.
//
// Enums are open string types: unknown values decode like any other, and Valid reports whether a value is known. Values
// that the service sends in several formats, and values that must not appear in a log, have types of package scalar.
// Printing a record prints no secrets.
package admin
