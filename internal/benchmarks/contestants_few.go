//go:build !contestants

package main

import (
	"github.com/rpcfleet/rpcfleet-go/internal/benchmarks/internal/byhand"
	"github.com/rpcfleet/rpcfleet-go/internal/benchmarks/internal/contestant"
	"github.com/rpcfleet/rpcfleet-go/internal/benchmarks/internal/fleet"
)

// contestants lists the contestants that need no generator.
var contestants = []contestant.Contestant{
	byhand.EncodingJSON,
	byhand.V2,
	fleet.Contestant,
}
