// Reconcile creates, changes, replaces and archives endpoints until they are as a YAML file declares them. If it fails
// or is killed, the next run continues. Without -apply it prints the changes, and exits with 3 if there are any.
//
// The file has endpoints by label. One whose network changes is replaced. Tags that are not in the file are removed,
// but other settings stay. Other endpoints stay too: the ids of its own are saved beside it.
//
//	checkout: {network: base-mainnet, status: active, tags: [production], options: {cors: true}, limits: {rps: 50}}
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/signal"
	"path/filepath"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
)

var (
	file  = flag.String("file", "fleet.yaml", "the YAML `file`")
	apply = flag.Bool("apply", false, "make the changes")
)

type endpoint struct {
	Network string
	Status  admin.EndpointStatus
	Tags    []string
	Options map[admin.SecurityOptionName]bool
	Limits  map[admin.RateLimitBucket]int
}

type reconciler struct {
	*rpcfleet.Client
	networks admin.Networks
	store    rpcfleet.FileCheckpointStore // Of the ids under the key, and of a journal of each create.
	key      string
	ids      map[string]string // By label.
	changes  int
}

func main() {
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if changes, err := run(ctx); ctx.Err() != nil {
		os.Exit(130) // Ctrl-C
	} else if err != nil {
		fmt.Fprintln(os.Stderr, "reconcile:", err)
		os.Exit(1)
	} else if changes > 0 && !*apply {
		os.Exit(3)
	}
}

// run returns the number of changes.
func run(ctx context.Context) (int, error) {
	text, err := os.ReadFile(*file)
	if err != nil {
		return 0, err
	}
	var declared map[string]endpoint
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	decoder.KnownFields(true)
	if err := decoder.Decode(&declared); err != nil {
		return 0, fmt.Errorf("%s: %w", *file, err)
	}
	client, err := rpcfleet.NewFromEnv(rpcfleet.WithPacer(rpcfleet.PlanBuild.NewPacer()))
	if err != nil {
		return 0, err
	}
	r := &reconciler{Client: client, key: filepath.Base(*file), ids: map[string]string{}}
	r.store.Dir = filepath.Dir(*file)
	saved, err := r.store.Load(ctx, r.key)
	if err == nil && !saved.IsZero() {
		err = json.Unmarshal([]byte(saved.Metadata), &r.ids)
	}
	if err != nil {
		return 0, err
	}
	if r.networks, err = client.Chains.Networks(ctx); err != nil {
		return 0, err
	}
	labels := slices.AppendSeq(slices.Collect(maps.Keys(r.ids)), maps.Keys(declared))
	slices.Sort(labels)
	for _, label := range slices.Compact(labels) {
		want, wanted := declared[label]
		if err := r.reconcile(ctx, label, want, wanted); err != nil {
			return 0, fmt.Errorf("%s: %w", label, err)
		}
	}
	fmt.Println(r.changes, "changes")
	return r.changes, nil
}

// change prints a change, and reports whether to make it.
func (r *reconciler) change(label, text string, value any) bool {
	r.changes++
	fmt.Printf("%s: %s %v\n", label, text, value)
	return *apply
}

// reconcile creates, updates, replaces or archives one endpoint.
func (r *reconciler) reconcile(ctx context.Context, label string, want endpoint, wanted bool) (err error) {
	network, found := r.networks.Find(want.Network)
	if wanted && !found {
		return fmt.Errorf("there is no network %q", want.Network)
	}
	var now *admin.Endpoint
	if id := r.ids[label]; id != "" {
		if now, err = r.Endpoints.Get(ctx, id); err != nil && !errors.Is(err, rpcfleet.ErrNotFound) {
			return err
		}
		if err != nil || !wanted || admin.NetworkName(now.Network) != network.Name {
			now, err = nil, nil
			if r.change(label, "archive", id) {
				err = r.archive(ctx, label)
			}
		}
	}
	if err == nil && wanted && now == nil && r.change(label, "create on", network.Name) {
		now, err = r.create(ctx, label, network)
	}
	if err == nil && now != nil {
		err = r.update(ctx, label, want, now)
	}
	return err
}

// create creates an endpoint. Until its id is saved, the journal knows it.
func (r *reconciler) create(ctx context.Context, label string, on admin.Network) (*admin.Endpoint, error) {
	request := admin.CreateEndpointRequest{Chain: on.Chain, Network: on.Slug}
	created, err := r.Endpoints.Create(ctx, request, rpcfleet.WithCreateJournal(r.store, r.key+" "+label))
	if err == nil {
		r.ids[label] = created.ID
		err = r.save(ctx)
	}
	return created, err
}

// archive archives an endpoint that may be gone already, and forgets it.
func (r *reconciler) archive(ctx context.Context, label string) error {
	if err := r.Endpoints.Archive(ctx, r.ids[label]); err != nil && !errors.Is(err, rpcfleet.ErrNotFound) {
		return err
	}
	if err := r.store.Save(ctx, r.key+" "+label, rpcfleet.Checkpoint{}); err != nil {
		return err
	}
	delete(r.ids, label)
	return r.save(ctx)
}

func (r *reconciler) save(ctx context.Context) error {
	ids, _ := json.Marshal(r.ids)
	return r.store.Save(ctx, r.key, rpcfleet.Checkpoint{Metadata: string(ids)})
}

// update changes the settings that differ.
func (r *reconciler) update(ctx context.Context, label string, want endpoint, now *admin.Endpoint) error {
	options, err := r.Security.Options(ctx, now.ID)
	if err == nil && now.Label != label && r.change(label, "set the label", label) {
		err = r.Endpoints.Update(ctx, now.ID, admin.UpdateEndpointRequest{Label: &label})
	}
	for _, tag := range want.Tags {
		has := slices.ContainsFunc(now.Tags, func(t admin.EndpointTag) bool { return t.Label == tag })
		if err == nil && !has && r.change(label, "add the tag", tag) {
			err = r.Endpoints.AddTag(ctx, now.ID, tag)
		}
	}
	for _, tag := range now.Tags {
		if err == nil && !slices.Contains(want.Tags, tag.Label) && r.change(label, "remove the tag", tag.Label) {
			err = r.Endpoints.RemoveTag(ctx, now.ID, tag.TagID)
		}
	}
	for name, on := range want.Options {
		if is, known := options[name]; err == nil && (!known || is != on) && r.change(label, "set "+string(name), on) {
			_, err = r.Security.SetOptions(ctx, now.ID, map[admin.SecurityOptionName]bool{name: on})
		}
	}
	limits := rpcfleet.RateLimitsOf(now.RateLimits).Overrides()
	for bucket, rate := range want.Limits {
		if err == nil && limits[bucket] != rate && r.change(label, "set "+string(bucket), rate) {
			_, err = r.RateLimits.Update(ctx, now.ID, map[admin.RateLimitBucket]int{bucket: rate})
		}
	}
	if err == nil && want.Status != "" && want.Status != now.Status && r.change(label, "set it", want.Status) {
		err = r.Endpoints.SetStatus(ctx, now.ID, want.Status)
	}
	return err
}
