// Package streamsapi is the server side of the streams area, generated from openapi/streams.yaml: the records, and the
// types of each operation's requests and responses. The client has other records.
package streamsapi

// Attributes is an object with any fields.
type Attributes = map[string]any

// Value is a JSON value of any kind.
type Value = any
