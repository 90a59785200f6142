// Package openapi contains the service's contract as OpenAPI 3.0 documents in YAML.
package openapi

import _ "embed"

// Admin is the contract of the admin area. It must not be changed.
//
//go:embed admin.yaml
var Admin []byte

// Alerts is the contract of the alerts area. It must not be changed.
//
//go:embed alerts.yaml
var Alerts []byte

// Webhooks is the contract of the webhooks area. It must not be changed.
//
//go:embed webhooks.yaml
var Webhooks []byte

// KeyValue is the contract of the key-value area. It must not be changed.
//
//go:embed keyvalue.yaml
var KeyValue []byte

// Streams is the contract of the streams area. It must not be changed.
//
//go:embed streams.yaml
var Streams []byte
