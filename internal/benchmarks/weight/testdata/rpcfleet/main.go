// Command rpcfleet shows one endpoint with rpcfleet.
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/rpcfleet/rpcfleet-go"
)

func main() {
	client, err := rpcfleet.NewFromEnv()
	if err != nil {
		log.Fatal(err)
	}
	endpoint, err := client.Endpoints.Get(context.Background(), os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(endpoint.ID, endpoint.Network)
}
