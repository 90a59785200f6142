package fleetdrift_test

import (
	"context"
	"fmt"

	"github.com/rpcfleet/rpcfleet-go"
	fleetdrift "github.com/rpcfleet/rpcfleet-go/contrib/drift"
	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// A response with a field that is not in the contract.
func Example() {
	service := emulator.New(emulator.WithFaults(
		emulator.Fault{Effect: emulator.EffectSetField, Pointer: "/data/subscription/region", Value: "eu"}))
	defer service.Close()
	hook, err := fleetdrift.New(func(_ context.Context, drift fleetdrift.Drift) { fmt.Printf("%+v\n", drift) })
	if err != nil {
		fmt.Println(err)
		return
	}
	client, err := rpcfleet.New(rpcfleet.WithCallHook(hook), rpcfleet.WithBaseURL(emulator.ClientURL),
		rpcfleet.WithHTTPClient(service.Client()), rpcfleet.WithAPIKey(service.APIKey))
	if err != nil {
		fmt.Println(err)
		return
	}
	account, err := client.Account.Info(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(account.Subscription.Extra)
	// Output:
	// {Operation:getAccountInfo StatusCode:200 Pointer:/data/subscription/region Rule:unknown field Found:string More:0}
	// [region]
}
