// Command oapi shows one endpoint with oapi-codegen's client.
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"

	"weight.example/oapi/admin"
)

func main() {
	client, err := admin.NewClientWithResponses(os.Getenv("RPCFLEET_BASE_URL"),
		admin.WithRequestEditorFn(func(_ context.Context, req *http.Request) error {
			req.Header.Set("x-api-key", os.Getenv("RPCFLEET_API_KEY"))
			return nil
		}))
	if err != nil {
		log.Fatal(err)
	}
	resp, err := client.GetEndpointWithResponse(context.Background(), os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	if resp.JSON200 == nil {
		log.Fatal(resp.Status())
	}
	fmt.Println(resp.JSON200.Data.Id, resp.JSON200.Data.Network)
}
