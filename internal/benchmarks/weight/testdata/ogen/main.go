// Command ogen prints all endpoints with ogen's client.
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/rpcfleet/rpcfleet-go/internal/benchmarks/weight/testdata/ogen/admin"
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
	for offset := 0; ; {
		response, err := client.ListEndpoints(context.Background(),
			admin.ListEndpointsParams{Offset: admin.NewOptInt(offset)})
		if err != nil {
			log.Fatal(err)
		}
		page, ok := response.(*admin.EndpointPageEnvelope)
		if !ok {
			log.Fatal(response)
		}
		if len(page.Data) == 0 {
			return
		}
		for _, endpoint := range page.Data {
			fmt.Println(endpoint.Name, endpoint.Network, endpoint.Status)
		}
		offset += len(page.Data)
	}
}
