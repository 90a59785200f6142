//go:build contestants

package main

import (
	"log"
	"os"

	"github.com/rpcfleet/rpcfleet-go/internal/benchmarks/internal/server"
)

func main() {
	server.ServeIfAsked()
	log.SetFlags(0)
	if err := run(os.Args[1:], os.Stdout); err != nil {
		log.Fatal("benchmarks: ", err)
	}
}
