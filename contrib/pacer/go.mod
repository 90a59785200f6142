module github.com/rpcfleet/rpcfleet-go/contrib/pacer

go 1.26.0

require (
	github.com/rpcfleet/rpcfleet-go v0.1.0
	github.com/stretchr/testify v1.12.1
)

require (
	github.com/Khan/genqlient v0.8.1 // indirect
	github.com/go-json-experiment/json v0.0.0-20260820222146-c27c302e5fc3 // indirect
	github.com/google/uuid v1.6.0 // indirect
	github.com/hashicorp/go-cleanhttp v0.5.2 // indirect
	github.com/hashicorp/go-retryablehttp v0.7.8 // indirect
	github.com/mattn/go-colorable v0.1.14 // indirect
	github.com/vektah/gqlparser/v2 v2.5.64 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/sys v0.48.0 // indirect
)
