package rpcfleet_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"strings"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// Switches the tooling access on and asks the tooling endpoint for the latest block. The session token that this needs
// is made, kept and renewed behind the scenes. The client sends nothing to other addresses.
func ExampleToolingService_HTTPClient() {
	service := emulator.Start()
	defer service.Close()
	client, err := rpcfleet.New(rpcfleet.WithBaseURL(service.URL), rpcfleet.WithAPIKey(service.APIKey))
	if err != nil {
		log.Fatal(err)
	}
	access, err := client.Tooling.Enable(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	if access.EndpointURL == nil {
		log.Fatal("the service gives no address")
	}

	rpc := client.Tooling.HTTPClient()
	call := `{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}`
	response, err := rpc.Post(access.EndpointURL.Reveal(), "application/json", strings.NewReader(call))
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	var block struct {
		Result string `json:"result"`
	}
	if err := json.NewDecoder(response.Body).Decode(&block); err != nil {
		log.Fatal(err)
	}
	fmt.Println(response.Status, "with a block:", strings.HasPrefix(block.Result, "0x"))

	response, err = http.Post(access.EndpointURL.Reveal(), "application/json", strings.NewReader(call))
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	fmt.Println(response.Status, "without the session token")
	// Output:
	// 200 OK with a block: true
	// 401 Unauthorized without the session token
}

// Takes session tokens for a client of another kind. The token is the same until shortly before it expires, and it does
// not print.
func ExampleToolingService_TokenSource() {
	service := emulator.Start()
	defer service.Close()
	client, err := rpcfleet.New(rpcfleet.WithBaseURL(service.URL), rpcfleet.WithAPIKey(service.APIKey))
	if err != nil {
		log.Fatal(err)
	}
	if _, err := client.Tooling.Enable(context.Background()); err != nil {
		log.Fatal(err)
	}

	tokens := client.Tooling.TokenSource()
	token, err := tokens.Token(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	again, err := tokens.Token(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("the same:", token.Token.Equal(again.Token))
	fmt.Println("printed:", token.Token)
	fmt.Println("parts of the JWT:", len(strings.Split(token.Token.Reveal(), ".")))
	// Output:
	// the same: true
	// printed: [redacted]
	// parts of the JWT: 3
}
