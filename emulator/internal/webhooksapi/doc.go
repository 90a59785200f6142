// Package webhooksapi is the server side of the webhooks area, generated from openapi/webhooks.yaml: the records, and
// the types of each operation's requests and responses. The client has other records.
package webhooksapi

// Attributes is an object with any fields.
type Attributes = map[string]any

// Value is a JSON value of any kind.
type Value = any
