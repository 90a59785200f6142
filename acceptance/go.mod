module github.com/rpcfleet/rpcfleet-go/acceptance

go 1.26.0

require github.com/rpcfleet/rpcfleet-go v0.0.0

require (
	github.com/getkin/kin-openapi v0.152.0 // indirect
	github.com/stretchr/testify v1.12.1 // indirect
)

replace github.com/rpcfleet/rpcfleet-go => ../
