// Errorrate prints the share of 5xx among the logged calls of each endpoint with a tag. It exits with 3 if a share is
// above a maximum, and with 1 if it cannot be determined.
//
//	errorrate -tag production -window 10m -max 0.01
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"time"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
)

func main() {
	tag := flag.String("tag", "production", "check the endpoints with this `tag`")
	window := flag.Duration("window", 10*time.Minute, "the time to look back")
	maximum := flag.Float64("max", 0.01, "the largest acceptable share")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	above, err := run(ctx, *tag, *window, *maximum)
	switch {
	case ctx.Err() != nil:
		os.Exit(130) // Ctrl-C
	case err != nil:
		fmt.Fprintln(os.Stderr, "errorrate:", err)
		os.Exit(1)
	case above > 0:
		os.Exit(3)
	}
}

// run returns the number of endpoints above the maximum.
func run(ctx context.Context, tag string, window time.Duration, maximum float64) (above int, err error) {
	client, err := rpcfleet.NewFromEnv(rpcfleet.WithPacer(rpcfleet.PlanBuild.NewPacer()))
	if err != nil {
		return 0, err
	}
	checked, now := 0, time.Now()
	for endpoint, err := range client.Endpoints.All(ctx, admin.ListEndpointsParams{TagLabels: []string{tag}}) {
		if err != nil {
			return 0, err
		}
		calls, failed := 0, 0
		for entry, err := range client.Logs.All(ctx, endpoint.ID, admin.ListLogsParams{From: now.Add(-window), To: now}) {
			if err != nil {
				return 0, fmt.Errorf("endpoint %s: %w", endpoint.ID, err)
			}
			if calls++; entry.Status >= 500 {
				failed++
			}
		}
		share := float64(failed) / float64(max(calls, 1))
		if checked++; share > maximum {
			above++
		}
		fmt.Printf("endpoint %s, %q: %d of %d calls failed, %.2f%%\n", endpoint.ID, endpoint.Label, failed, calls, 100*share)
	}
	if checked == 0 {
		return 0, fmt.Errorf("no endpoint has the tag %q", tag)
	}
	fmt.Printf("%d of %d endpoints are above %.2f%%\n", above, checked, 100*maximum)
	return above, nil
}
