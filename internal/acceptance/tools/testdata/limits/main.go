// Limits gives the endpoints with a tag the rate limits of a policy, and removes their others. Without -apply it only
// prints the changes. The policy comes from standard input:
//
//	{tag: production, limits: {rps: 50}, methods: [{methods: [eth_getLogs], interval: second, rate: 5}]}
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"go.yaml.in/yaml/v3"
)

func main() {
	apply := flag.Bool("apply", false, "make the changes")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *apply); ctx.Err() != nil {
		os.Exit(130) // Ctrl-C
	} else if err != nil {
		fmt.Fprintln(os.Stderr, "limits:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, apply bool) error {
	var policy struct {
		Tag     string
		Limits  map[admin.RateLimitBucket]int
		Methods []admin.CreateMethodRateLimitRequest
	}
	decoder := yaml.NewDecoder(os.Stdin)
	decoder.KnownFields(true)
	if err := decoder.Decode(&policy); err != nil {
		return fmt.Errorf("the policy: %w", err)
	}
	client, err := rpcfleet.NewFromEnv(rpcfleet.WithPacer(rpcfleet.PlanBuild.NewPacer()))
	if err != nil {
		return err
	}
	service, checked := client.RateLimits, 0
	for e, err := range client.Endpoints.All(ctx, admin.ListEndpointsParams{TagLabels: []string{policy.Tag}}) {
		if err != nil {
			return err
		}
		limits, err := service.Get(ctx, e.ID)
		methods, methodsErr := service.ListMethodLimits(ctx, e.ID)
		err = cmp.Or(err, methodsErr)
		planned := func(text string, value any) bool {
			fmt.Printf("endpoint %s: %s %v\n", e.ID, text, value)
			return apply
		}
		for bucket, rate := range policy.Limits {
			if err == nil && limits.Overrides()[bucket] != rate && planned("set "+string(bucket), rate) {
				_, err = service.Update(ctx, e.ID, map[admin.RateLimitBucket]int{bucket: rate})
			}
		}
		for _, limit := range limits {
			if err == nil && limit.OverrideID != "" && policy.Limits[limit.Bucket] == 0 && planned("remove", limit.Bucket) {
				err = service.RemoveOverride(ctx, e.ID, limit.OverrideID)
			}
		}
		for _, want := range policy.Methods {
			before := len(methods)
			methods = slices.DeleteFunc(methods, func(m admin.MethodRateLimit) bool {
				return m.Interval == want.Interval && m.Rate == want.Rate && m.Status == admin.SwitchEnabled &&
					slices.Equal(slices.Sorted(slices.Values(m.Methods)), slices.Sorted(slices.Values(want.Methods)))
			})
			if err == nil && len(methods) == before && planned("limit methods", want) {
				_, err = service.CreateMethodLimit(ctx, e.ID, want, rpcfleet.WithCreateOnce())
			}
		}
		for _, m := range methods {
			if err == nil && planned("remove the limit of", m.Methods) {
				err = service.DeleteMethodLimit(ctx, e.ID, m.ID)
			}
		}
		if err != nil {
			return fmt.Errorf("endpoint %s: %w", e.ID, err)
		}
		checked++
	}
	if checked == 0 {
		return fmt.Errorf("no endpoint has the tag %q", policy.Tag)
	}
	return nil
}
