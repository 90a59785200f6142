module github.com/rpcfleet/rpcfleet-go/examples/fleetascode

go 1.26.0

require (
	github.com/rpcfleet/rpcfleet-go v0.0.0
	github.com/rpcfleet/rpcfleet-go/contrib/pacer v0.0.0
	github.com/rpcfleet/rpcfleet-go/examples/internal/progress v0.0.0
	github.com/stretchr/testify v1.12.1
	go.yaml.in/yaml/v3 v3.0.5
	golang.org/x/sync v0.23.0
)

require (
	github.com/Khan/genqlient v0.8.1 // indirect
	github.com/apapsch/go-jsonmerge/v2 v2.0.0 // indirect
	github.com/go-chi/chi/v5 v5.5.0 // indirect
	github.com/go-json-experiment/json v0.0.0-20260820222146-c27c302e5fc3 // indirect
	github.com/google/uuid v1.6.0 // indirect
	github.com/graph-gophers/graphql-go v1.11.0 // indirect
	github.com/hashicorp/go-cleanhttp v0.5.2 // indirect
	github.com/hashicorp/go-retryablehttp v0.7.8 // indirect
	github.com/mitchellh/colorstring v0.0.0-20190213212951-d06e56a500db // indirect
	github.com/oapi-codegen/runtime v1.8.0 // indirect
	github.com/rivo/uniseg v0.4.7 // indirect
	github.com/schollz/progressbar/v3 v3.19.1 // indirect
	github.com/vektah/gqlparser/v2 v2.5.19 // indirect
	golang.org/x/sys v0.49.0 // indirect
	golang.org/x/term v0.47.0 // indirect
)

replace (
	github.com/rpcfleet/rpcfleet-go => ../../
	github.com/rpcfleet/rpcfleet-go/contrib/pacer => ../../contrib/pacer
	github.com/rpcfleet/rpcfleet-go/examples/internal/progress => ../internal/progress
)
