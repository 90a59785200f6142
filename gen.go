package rpcfleet

// The generators are pinned in internal/tools, a separate module; GOWORK=off keeps a workspace around this one out of
// it. The configurations in openapi/ hold for every area, and name their outputs, relative to internal/tools.
//
//go:generate sh openapi/generate.sh
//go:generate env GOWORK=off go -C internal/tools run ./genqlient ../..
//go:generate env GOWORK=off go -C examples/ownqueries tool genqlient
//go:generate go run ./internal/test/operations
