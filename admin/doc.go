// Package admin holds what is generated from openapi/admin.yaml for the admin area: records, parameters, request
// builders, and the table of operations.
//
// The root package's services take and return these records; the builders and the table are theirs to use.
// Nullable and optional values are pointers, lists and maps are not. Enums are open string types: a value that is
// newer than this version decodes like any other, and Valid reports whether it is known. Values that the service
// spells in several ways, or that must not leak into a log, have types of package scalar.
package admin
