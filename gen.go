package rpcfleet

// The generators are pinned in tools/, a module of its own; GOWORK=off keeps a workspace around this one out of it.
// Each configuration names its output, relative to tools/.
//
//go:generate env GOWORK=off go -C tools tool oapi-codegen -config ../openapi/admin.client.config.yaml ../openapi/admin.yaml
//go:generate env GOWORK=off go -C tools tool oapi-codegen -config ../openapi/alerts.client.config.yaml ../openapi/alerts.yaml
//go:generate env GOWORK=off go -C tools tool oapi-codegen -config ../openapi/admin.server.config.yaml ../openapi/admin.yaml
//go:generate env GOWORK=off go -C tools tool oapi-codegen -config ../openapi/alerts.server.config.yaml ../openapi/alerts.yaml
//go:generate env GOWORK=off go -C tools run ./graphgen ../graph/genqlient.yaml
//go:generate go run ./internal/readme
