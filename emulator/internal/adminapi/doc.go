// Package adminapi is the server side of the admin area, generated from openapi/admin.yaml: the records, and the types
// of each operation's requests and responses. The client has other records.
package adminapi

// MetricTag is the tag of a time series: a string, or a []string of a kind and a tag.
type MetricTag any
