// Fleetconfig declares endpoints in a YAML file: their tags, status, IPs, security options and rate limits. It plans
// the changes and applies them. If it is applied twice, the second run changes nothing. See fleet.yaml beside it.
//
//	go run ./examples/fleetconfig
//	go run ./examples/fleetconfig -file fleet.yaml           # exits with 3 if something is to change
//	go run ./examples/fleetconfig -file fleet.yaml -apply
//
// RPCFLEET_BASE_URL and RPCFLEET_API_KEY select the account. If RPCFLEET_BASE_URL is not set, it plans, applies and
// plans fleet.yaml on an emulator in its own process.
package main

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/emulator"
)

//go:embed fleet.yaml
var example []byte

var journal rpcfleet.FileCheckpointStore // Of creates, in the folder of the file.

// config is the content of the file. The names in YAML are the field names in lower case.
type config struct{ Endpoints []endpoint }

type endpoint struct {
	Label, Chain, Network string
	Status                admin.EndpointStatus
	Tags, IPs             []string // nil if the list is omitted.
	Options               map[admin.SecurityOptionName]bool
	RateLimits            map[admin.RateLimitBucket]int `yaml:"rate_limits"`
}

func main() {
	file := flag.String("file", "fleet.yaml", "the YAML `file`")
	apply := flag.Bool("apply", false, "make the changes")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	changes, err := run(ctx, *file, *apply)
	if ctx.Err() != nil {
		os.Exit(130) // Ctrl-C
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "fleetconfig:", err)
		os.Exit(1)
	}
	if changes > 0 && !*apply {
		os.Exit(3)
	}
}

// run returns the number of changes.
func run(ctx context.Context, file string, apply bool) (changes int, err error) {
	client, err := rpcfleet.NewFromEnv()
	runs, text := []bool{apply}, example
	if os.Getenv("RPCFLEET_BASE_URL") == "" {
		fmt.Println("No RPCFLEET_BASE_URL: using an emulator")
		service := emulator.Start()
		client, err = rpcfleet.New(rpcfleet.WithBaseURL(service.URL), rpcfleet.WithAPIKey(service.APIKey))
		runs = []bool{false, true, false}
		if err == nil {
			journal.Dir, err = os.MkdirTemp("", "fleetconfig")
			defer func() { _ = os.RemoveAll(journal.Dir) }()
		}
	} else if err == nil {
		text, err = os.ReadFile(file)
		journal.Dir = filepath.Dir(file)
	}
	if err != nil {
		return 0, err
	}
	declared, err := read(text)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", file, err)
	}
	for _, apply := range runs {
		if changes, err = carryOut(ctx, client, declared, apply); err != nil {
			return 0, err
		}
	}
	return changes, nil
}

// read parses and validates a file.
func read(text []byte) (*config, error) {
	var declared config
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	decoder.KnownFields(true)
	if err := decoder.Decode(&declared); err != nil {
		return nil, errors.New(strings.Join(strings.Fields(err.Error()), " ")) // On one line.
	}
	if err := decoder.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return nil, errors.New("has more than one document")
	}
	labels := map[string]bool{}
	for i, e := range declared.Endpoints {
		switch {
		case e.Label == "" || labels[e.Label] || e.Chain == "" || e.Network == "":
			return nil, fmt.Errorf("endpoint %d (%q) needs a label of its own, a chain and a network", i+1, e.Label)
		case e.Status != "" && e.Status != admin.EndpointStatusActive && e.Status != admin.EndpointStatusPaused:
			return nil, fmt.Errorf("endpoint %q: status must be active or paused", e.Label)
		}
		labels[e.Label] = true
		for option := range e.Options {
			if !option.Valid() || option == admin.SecurityOptionNameIPCustomHeader { // It needs a header.
				return nil, fmt.Errorf("endpoint %q: there is no option %q", e.Label, option)
			}
		}
		for bucket := range e.RateLimits {
			if !bucket.Valid() {
				return nil, fmt.Errorf("endpoint %q: there is no rate limit %q", e.Label, bucket)
			}
		}
	}
	return &declared, nil
}

// change is a call that makes the account match the file.
type change struct {
	text string
	call func(context.Context) error
}

// carryOut plans the changes, and applies them if apply is set. It returns their number.
func carryOut(ctx context.Context, client *rpcfleet.Client, declared *config, apply bool) (int, error) {
	changes, err := plan(ctx, client, declared)
	if err != nil {
		return 0, err
	}
	fmt.Println(len(changes), "changes")
	for i, change := range changes {
		fmt.Println("  " + change.text)
		if apply {
			if err := change.call(ctx); err != nil {
				return 0, fmt.Errorf("%w (%d of %d changes made)", err, i, len(changes))
			}
		}
	}
	return len(changes), nil
}

// plan compares the file with the account. It only reads.
func plan(ctx context.Context, client *rpcfleet.Client, declared *config) ([]change, error) {
	chains, err := client.Chains.List(ctx)
	if err != nil {
		return nil, err
	}
	networks := map[string]bool{}
	for _, chain := range chains {
		for _, network := range chain.Networks {
			networks[chain.Slug+" "+network.Slug] = true
		}
	}
	ids := map[string][]string{}
	for e, err := range client.Endpoints.All(ctx, admin.ListEndpointsParams{}) {
		if err != nil {
			return nil, err
		}
		ids[e.Label] = append(ids[e.Label], e.ID)
	}
	var changes []change
	for _, e := range declared.Endpoints {
		current := &admin.Endpoint{Network: e.Network} // It will be created.
		switch found := ids[e.Label]; {
		case !networks[e.Chain+" "+e.Network]:
			return nil, fmt.Errorf("endpoint %q: the service has no network %q of a chain %q", e.Label, e.Network, e.Chain)
		case len(found) > 1:
			return nil, fmt.Errorf("endpoint %q: several have that label: %q", e.Label, found)
		case len(found) == 1:
			if current, err = client.Endpoints.Get(ctx, found[0]); err != nil {
				return nil, err
			}
			if current.Network != e.Network {
				return nil, fmt.Errorf("endpoint %q: it is on %q, and cannot move", e.Label, current.Network)
			}
		}
		changes = append(changes, compare(client, e, current)...)
	}
	return changes, nil
}

// compare returns the changes of an endpoint e. If the endpoint does not exist, the first change sets the id of now.
func compare(c *rpcfleet.Client, e endpoint, now *admin.Endpoint) (changes []change) {
	add := func(what, value string, call func(context.Context) error) {
		changes = append(changes, change{fmt.Sprintf("%q: %s %q", e.Label, what, value), call})
	}
	if now.ID == "" {
		add("create on", e.Network, func(ctx context.Context) (err error) { now.ID, err = create(ctx, c, e); return err })
	}
	tags, ips := map[string]int64{}, map[string]string{} // Their ids.
	for _, tag := range now.Tags {
		tags[tag.Label] = tag.TagID
	}
	if now.Security != nil {
		for _, ip := range now.Security.IPs {
			ips[ip.IP] = ip.ID
		}
	}
	for _, tag := range missing(e.Tags, tags) {
		add("add tag", tag, func(ctx context.Context) error { return c.Endpoints.AddTag(ctx, now.ID, tag) })
	}
	for _, tag := range extra(e.Tags, tags) {
		add("remove tag", tag, func(ctx context.Context) error { return c.Endpoints.RemoveTag(ctx, now.ID, tags[tag]) })
	}
	for _, ip := range missing(e.IPs, ips) {
		add("add IP", ip, func(ctx context.Context) error { _, err := c.Security.AddIP(ctx, now.ID, ip); return err })
	}
	for _, ip := range extra(e.IPs, ips) {
		add("remove IP", ip, func(ctx context.Context) error { return c.Security.RemoveIP(ctx, now.ID, ips[ip]) })
	}
	for _, option := range slices.Sorted(maps.Keys(e.Options)) { // After the lists, which they enable.
		want := e.Options[option]
		if is, known := rpcfleet.SecurityOptionsOf(now.Security)[option]; known && is == want {
			continue
		}
		value := map[bool]string{true: "enabled", false: "disabled"}[want]
		add("make "+string(option), value, func(ctx context.Context) error {
			_, err := c.Security.SetOptions(ctx, now.ID, map[admin.SecurityOptionName]bool{option: want})
			return err
		})
	}
	have := rpcfleet.RateLimitsOf(now.RateLimits).Overrides()
	want := maps.Clone(have)
	if maps.Copy(want, e.RateLimits); !maps.Equal(want, have) {
		add("set", "rate limits", func(ctx context.Context) error {
			_, err := c.RateLimits.Update(ctx, now.ID, e.RateLimits)
			return err
		})
	}
	if e.Status != "" && e.Status != cmp.Or(now.Status, admin.EndpointStatusActive) {
		add("make it", string(e.Status), func(ctx context.Context) error { return c.Endpoints.SetStatus(ctx, now.ID, e.Status) })
	}
	return changes
}

func missing[ID any](want []string, have map[string]ID) []string {
	return slices.DeleteFunc(slices.Clone(want), func(value string) bool { _, there := have[value]; return there })
}

// extra returns the items that the list does not contain. If the list is omitted, there are none.
func extra[ID any](want []string, have map[string]ID) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(have)), func(value string) bool {
		return want == nil || slices.Contains(want, value)
	})
}

// create creates an endpoint with a label. The next run finds it by its label; until it has one, the journal knows it,
// so that a run that is killed leaves no other endpoint.
func create(ctx context.Context, client *rpcfleet.Client, e endpoint) (string, error) {
	name := "fleetconfig " + e.Label
	created, err := client.Endpoints.Create(ctx, admin.CreateEndpointRequest{Chain: e.Chain, Network: e.Network},
		rpcfleet.WithCreateJournal(journal, name))
	if err != nil {
		return "", err
	}
	if err = client.Endpoints.Update(ctx, created.ID, admin.UpdateEndpointRequest{Label: &e.Label}); err != nil {
		return "", err
	}
	return created.ID, journal.Save(ctx, name, rpcfleet.Checkpoint{}) // A later endpoint with the label is another one.
}
