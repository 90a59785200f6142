package rpcfleet_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// Calls an operation by its method and path, and reads two fields of the record into a separate type. An operation that
// this version does not know is called in the same way.
func ExampleDo() {
	service := emulator.Start()
	defer service.Close()
	client, err := rpcfleet.New(rpcfleet.WithBaseURL(service.URL), rpcfleet.WithAPIKey(service.APIKey))
	if err != nil {
		log.Fatal(err)
	}

	ctx := context.Background()
	request := rpcfleet.Request{
		Method:     http.MethodGet,
		Path:       "/v0/endpoints/{id}",
		PathParams: map[string]string{"id": service.CreateEndpoints(1)[0]},
	}
	type network struct {
		Chain   string `json:"chain"`
		Network string `json:"network"`
	}
	found, err := rpcfleet.Do[network](ctx, client, request)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(found.Chain, found.Network)

	request.Path = "/v0/endpoints/{id}/weather"
	_, err = rpcfleet.Do[struct{}](ctx, client, request)
	fmt.Println(err)
	// Output:
	// ethereum ethereum-mainnet
	// rpcfleet: GET /v0/endpoints/{id}/weather: 404 Not Found: 404 page not found (GET /v0/endpoints/{id}/weather, request id req-2)
}

// Clears a label with a null, which the type of the change can only leave out.
func ExampleWithBodyField() {
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		fmt.Printf("%s %s\n", r.Method, body)
		_, _ = io.WriteString(w, `{"data":true,"error":null}`)
	}))
	defer service.Close()
	client, err := rpcfleet.New(rpcfleet.WithBaseURL(service.URL), rpcfleet.WithAPIKey("an-api-key"))
	if err != nil {
		log.Fatal(err)
	}

	var change admin.UpdateEndpointRequest
	err = client.Endpoints.Update(context.Background(), "1003", change, rpcfleet.WithBodyField("label", nil))
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// PATCH {"label":null}
}
