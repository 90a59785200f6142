package rpcfleet_test

import (
	"context"
	"fmt"
	"log"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// Overrides a limit of the plan, and takes the override back.
func ExampleRateLimitsService() {
	service := emulator.Start()
	defer service.Close()
	client, err := rpcfleet.New(rpcfleet.WithBaseURL(service.URL), rpcfleet.WithAPIKey(service.APIKey))
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	id := service.CreateEndpoints(1)[0]

	show := func() rpcfleet.RateLimits {
		limits, err := client.RateLimits.Get(ctx, id)
		if err != nil {
			log.Fatal(err)
		}
		for _, bucket := range []admin.RateLimitBucket{admin.RateLimitBucketRPS, admin.RateLimitBucketRPD} {
			switch limit, known := limits.Effective(bucket); {
			case known && limit.Unlimited:
				fmt.Println(bucket, "has no limit")
			case known && limit.Requests != nil:
				fmt.Println(bucket, "is limited to", *limit.Requests, "by", limit.Source)
			}
		}
		return limits
	}
	show()

	if _, err := client.RateLimits.Update(ctx, id, admin.RateLimitOverrides{RPS: new(50)}); err != nil {
		log.Fatal(err)
	}
	limits := show()

	if override, set := limits.OverrideID(admin.RateLimitBucketRPS); set {
		if err := client.RateLimits.RemoveOverride(ctx, id, override); err != nil {
			log.Fatal(err)
		}
	}
	show()
	// Output:
	// rps is limited to 500 by plan_default
	// rpd has no limit
	// rps is limited to 50 by user_override
	// rpd has no limit
	// rps is limited to 500 by plan_default
	// rpd has no limit
}
