package rpcfleet

// The generators are pinned in internal/tools, a separate module; GOWORK=off keeps a workspace around this one out of it.
// Each configuration names its output, relative to internal/tools.
//
//go:generate env GOWORK=off go -C internal/tools tool oapi-codegen -config ../../openapi/admin.records.config.yaml ../../openapi/admin.yaml
//go:generate env GOWORK=off go -C internal/tools tool oapi-codegen -config ../../openapi/admin.api.config.yaml ../../openapi/admin.yaml
//go:generate env GOWORK=off go -C internal/tools tool oapi-codegen -config ../../openapi/admin.apitest.config.yaml ../../openapi/admin.yaml
//go:generate env GOWORK=off go -C internal/tools tool oapi-codegen -config ../../openapi/alerts.records.config.yaml ../../openapi/alerts.yaml
//go:generate env GOWORK=off go -C internal/tools tool oapi-codegen -config ../../openapi/alerts.api.config.yaml ../../openapi/alerts.yaml
//go:generate env GOWORK=off go -C internal/tools tool oapi-codegen -config ../../openapi/alerts.apitest.config.yaml ../../openapi/alerts.yaml
//go:generate env GOWORK=off go -C internal/tools tool oapi-codegen -config ../../openapi/admin.server.config.yaml ../../openapi/admin.yaml
//go:generate env GOWORK=off go -C internal/tools tool oapi-codegen -config ../../openapi/alerts.server.config.yaml ../../openapi/alerts.yaml
//go:generate env GOWORK=off go -C internal/tools tool oapi-codegen -config ../../openapi/admin.services.config.yaml ../../openapi/admin.yaml
//go:generate env GOWORK=off go -C internal/tools tool oapi-codegen -config ../../openapi/alerts.services.config.yaml ../../openapi/alerts.yaml
//go:generate env GOWORK=off go -C internal/tools run ./genqlient ../..
//go:generate env GOWORK=off go -C examples/ownqueries tool genqlient
//go:generate go run ./internal/test/operations
