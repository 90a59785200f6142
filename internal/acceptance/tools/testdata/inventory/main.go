// Inventory prints an account's endpoints as CSV, with the credits used in this billing period. Archived ones that have
// used some come last, so that the sum is the account's. All teams can use an endpoint of no team, and the service does
// not mark a team's own. So the column "teams" has names only if another team cannot use the endpoint, and else "all".
package main

import (
	"cmp"
	"context"
	"encoding/csv"
	"fmt"
	"os"
	"os/signal"
	"strings"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); ctx.Err() != nil {
		os.Exit(130) // Ctrl-C
	} else if err != nil {
		fmt.Fprintln(os.Stderr, "inventory:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	client, err := rpcfleet.NewFromEnv(rpcfleet.WithPacer(rpcfleet.PlanBuild.NewPacer()))
	if err != nil {
		return err
	}
	teams, err := client.Teams.List(ctx)
	usage, usageErr := client.Usage.ByEndpoint(ctx, admin.GetUsageParams{})
	if err = cmp.Or(err, usageErr); err != nil {
		return err
	}
	used := map[string]int64{} // Credits by the name of the endpoint: usage has no ids.
	for _, u := range usage.Endpoints {
		used[u.Name] += u.CreditsUsed
	}
	users := map[string][]string{} // Names of teams, by the name of the endpoint.
	for _, team := range teams {
		endpoints, err := client.Teams.AccessibleEndpoints(ctx, team.ID)
		if err != nil {
			return fmt.Errorf("team %q: %w", team.Name, err)
		}
		for _, e := range endpoints {
			users[e.Subdomain] = append(users[e.Subdomain], team.Name)
		}
	}
	rows := [][]string{{"id", "name", "label", "network", "status", "tags", "teams", "credits"}}
	progress := func(done, total int) { fmt.Fprintf(os.Stderr, "%d of %d endpoints\n", done, total) }
	for e, err := range client.Endpoints.All(ctx, admin.ListEndpointsParams{}, rpcfleet.WithProgress(progress)) {
		if err != nil {
			return err
		}
		var tags []string
		for _, tag := range e.Tags {
			tags = append(tags, tag.Label)
		}
		row := []string{e.ID, e.Name, e.Label, e.Network, string(e.Status), strings.Join(tags, ";"), "all"}
		if len(users[e.Name]) < len(teams) {
			row[6] = strings.Join(users[e.Name], ";")
		}
		rows = append(rows, append(row, fmt.Sprint(used[e.Name])))
		delete(used, e.Name)
	}
	for name, credits := range used {
		rows = append(rows, []string{"", name, "", "", "archived", "", "", fmt.Sprint(credits)})
	}
	return csv.NewWriter(os.Stdout).WriteAll(rows)
}
