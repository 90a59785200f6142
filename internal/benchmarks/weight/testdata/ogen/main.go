// Command ogen shows one endpoint with ogen's client.
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"weight.example/ogen/admin"
)

type key string

func (k key) ApiKeyHeader(context.Context, admin.OperationName) (admin.ApiKeyHeader, error) {
	return admin.ApiKeyHeader{APIKey: string(k)}, nil
}

func (k key) BearerAuth(context.Context, admin.OperationName) (admin.BearerAuth, error) {
	return admin.BearerAuth{}, nil
}

func main() {
	client, err := admin.NewClient(os.Getenv("RPCFLEET_BASE_URL"), key(os.Getenv("RPCFLEET_API_KEY")))
	if err != nil {
		log.Fatal(err)
	}
	response, err := client.GetEndpoint(context.Background(), admin.GetEndpointParams{ID: os.Args[1]})
	if err != nil {
		log.Fatal(err)
	}
	read, ok := response.(*admin.SingleEndpointEnvelope)
	if !ok {
		log.Fatal(response)
	}
	fmt.Println(read.Data.ID, read.Data.Network)
}
