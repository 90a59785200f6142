// Audit checks the security of all endpoints: who can call them, and which settings have no effect.
//
//	go run ./examples/audit
//	go run ./examples/audit -format json    # or github, for annotations of GitHub Actions
//
// It only reads. If it finds an error, it exits with 3.
//
// RPCFLEET_BASE_URL and RPCFLEET_API_KEY select the account. If they are not set, it runs on an emulator.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// finding is a problem or a warning that someone should check.
type finding struct {
	Endpoint string `json:"endpoint"`
	Network  string `json:"network"`
	Level    string `json:"level"` // "error" or "warning"
	Message  string `json:"message"`
}

func main() {
	format := flag.String("format", "text", "text, json, or github for annotations of GitHub Actions")
	flag.Parse()
	findings, err := run(context.Background())
	if err == nil {
		err = write(findings, *format)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "audit:", err)
		os.Exit(1)
	}
	if slices.ContainsFunc(findings, func(f finding) bool { return f.Level == "error" }) {
		os.Exit(3)
	}
}

// run reads the settings of all endpoints, eight at a time.
func run(ctx context.Context) ([]finding, error) {
	client, err := rpcfleet.NewFromEnv()
	if os.Getenv("RPCFLEET_BASE_URL") == "" {
		fmt.Fprintln(os.Stderr, "No RPCFLEET_BASE_URL: using an emulator")
		service := emulator.Start()
		for option, on := range map[string]bool{"tokens": false, "referrers": true} {
			options := map[string]bool{option: on}
			_, _ = service.AddEndpoint(emulator.EndpointSpec{Chain: "base", Network: "base-mainnet", Options: options})
		}
		client, err = rpcfleet.New(rpcfleet.WithBaseURL(service.URL), rpcfleet.WithAPIKey(service.APIKey))
	}
	if err != nil {
		return nil, err
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(8)
	var lock sync.Mutex
	findings := []finding{}
	for endpoint, err := range client.Endpoints.All(ctx, admin.ListEndpointsParams{}) {
		if err != nil {
			return nil, cmp.Or(group.Wait(), err)
		}
		group.Go(func() error {
			security, err := client.Security.Get(ctx, endpoint.ID)
			if err != nil {
				return err
			}
			lock.Lock()
			defer lock.Unlock()
			findings = append(findings, look(endpoint, security)...)
			return nil
		})
	}
	err = group.Wait()
	slices.SortFunc(findings, func(a, b finding) int { return cmp.Compare(a.Endpoint+a.Message, b.Endpoint+b.Message) })
	return findings, err
}

// look returns the findings for an endpoint.
func look(endpoint admin.Endpoint, security *admin.EndpointSecurity) (found []finding) {
	report := func(level, message string) {
		found = append(found, finding{endpoint.ID, endpoint.Network, level, message})
	}
	options, guards := rpcfleet.SecurityOptionsOf(security), 0
	for guard, entries := range map[admin.SecurityOptionName]int{
		admin.SecurityOptionNameTokens: len(security.Tokens), admin.SecurityOptionNameJWTs: len(security.JWTs),
		admin.SecurityOptionNameIPs: len(security.IPs), admin.SecurityOptionNameReferrers: len(security.Referrers),
	} {
		on, known := options[guard]
		if on {
			guards++
		}
		if on && entries == 0 {
			report("warning", fmt.Sprintf("%s is on, and its list is empty", guard))
		} else if known && !on && entries > 0 && guard != admin.SecurityOptionNameTokens {
			report("warning", fmt.Sprintf("%s is off, and its list has no effect", guard))
		}
	}
	if len(options) == 0 {
		report("warning", "the service returned no security options")
	} else if guards == 0 {
		report("error", "nothing keeps callers out who know the address")
	}
	return found
}

// write writes the findings. Texts of the service are quoted, which escapes terminal control characters, except in
// JSON, which is for programs.
func write(findings []finding, format string) error {
	switch format {
	case "json":
		return json.NewEncoder(os.Stdout).Encode(findings)
	case "github":
		for _, f := range findings {
			line := fmt.Sprintf("endpoint %q on %q: %s", f.Endpoint, f.Network, f.Message)
			fmt.Printf("::%s title=rpcfleet audit::%s\n", f.Level, strings.ReplaceAll(line, "%", "%25"))
		}
	case "text":
		for _, f := range findings {
			fmt.Printf("%-8s endpoint %q on %q: %s\n", f.Level, f.Endpoint, f.Network, f.Message)
		}
	default:
		return fmt.Errorf("-format must be text, json or github: %q", format)
	}
	return nil
}
