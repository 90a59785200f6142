//go:build contestants

package main

import (
	"github.com/rpcfleet/rpcfleet-go/internal/benchmarks/internal/bygenqlient"
	"github.com/rpcfleet/rpcfleet-go/internal/benchmarks/internal/byhand"
	"github.com/rpcfleet/rpcfleet-go/internal/benchmarks/internal/byjx"
	"github.com/rpcfleet/rpcfleet-go/internal/benchmarks/internal/byoapi"
	"github.com/rpcfleet/rpcfleet-go/internal/benchmarks/internal/byogen"
	"github.com/rpcfleet/rpcfleet-go/internal/benchmarks/internal/contestant"
	"github.com/rpcfleet/rpcfleet-go/internal/benchmarks/internal/fleet"
)

// contestants lists all contestants in the order of the table. The first is the reference.
var contestants = []contestant.Contestant{
	byhand.EncodingJSON,
	byhand.V2,
	byjx.Contestant,
	byoapi.Contestant,
	byogen.Contestant,
	bygenqlient.Contestant,
	fleet.Contestant,
}
