package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
)

// settings compares the settings of one endpoint with those that the file declares.
type settings struct {
	client *rpcfleet.Client
	settle time.Duration
	id     string
	thing  string
	steps  []step
	// removals come last.
	removals []step
}

// settings returns the steps that make an endpoint what the file says. Entries of lists come before the options that
// put the lists into force, and the status comes last.
func (p *planner) settings(want *endpoint, have *admin.Endpoint, told *details) []step {
	s := &settings{client: p.client, settle: p.settle, id: have.ID, thing: thing("endpoint", want.name())}
	if want.Label != "" && text(have.Label) != want.Label {
		s.set("label", text(have.Label), want.Label, func(ctx context.Context) error {
			err := p.client.Endpoints.Update(ctx, s.id, admin.UpdateEndpointRequest{Label: &want.Label})
			if err == nil {
				p.state.labelled(want.Label)
			}
			return err
		})
	}
	if want.Multichain != nil && *want.Multichain != have.IsMultichain {
		s.set("multichain", strconv.FormatBool(have.IsMultichain), strconv.FormatBool(*want.Multichain), func(ctx context.Context) error {
			if *want.Multichain {
				return p.client.Endpoints.EnableMultichain(ctx, s.id)
			}
			return p.client.Endpoints.DisableMultichain(ctx, s.id)
		})
	}
	s.tags(want.Tags, have.Tags)
	if want.RateLimits != nil {
		s.limits(want.RateLimits, told.limits)
	}
	if want.MethodRateLimits != nil {
		s.methodLimits(want.MethodRateLimits, told.methods)
	}
	if want.Security != nil {
		s.security(want.Security, told)
	}
	if want.Status != "" && want.Status != have.Status {
		s.set("status", string(have.Status), string(want.Status), func(ctx context.Context) error {
			return p.client.Endpoints.SetStatus(ctx, s.id, want.Status)
		})
	}
	return append(s.steps, s.removals...)
}

// set plans a change of a value.
func (s *settings) set(field, have, want string, do func(context.Context) error) {
	s.steps = append(s.steps, step{actionSet, s.thing, field, have, want, do})
}

// remove plans to take something away.
func (s *settings) remove(field, have string, do func(context.Context) error) {
	s.removals = append(s.removals, step{actionRemove, s.thing, field, have, "", do})
}

// entry is one entry of a list: as the account has it, with its id, or as the file declares it.
type entry struct{ id, key, shown string }

// entries compares a list. The entries are identified by their keys; what add makes may have been made when its error
// leaves that open.
func (s *settings) entries(
	field string, have, want []entry, add func(ctx context.Context, index int) error, remove func(ctx context.Context, id string) error,
) {
	is := func(key string) func(entry) bool { return func(e entry) bool { return e.key == key } }
	for i, e := range want {
		if !slices.ContainsFunc(have, is(e.key)) {
			s.steps = append(s.steps, step{actionAdd, s.thing, field, "", e.shown, func(ctx context.Context) error { return add(ctx, i) }})
		}
	}
	seen := map[string]bool{}
	for _, e := range have {
		if seen[e.key] || !slices.ContainsFunc(want, is(e.key)) {
			s.remove(field, e.shown, func(ctx context.Context) error { return remove(ctx, e.id) })
		}
		seen[e.key] = true
	}
}

// declared are texts of the file as entries, in small letters as the service compares them.
func declared(texts []string) []entry {
	entries := make([]entry, len(texts))
	for i, text := range texts {
		entries[i] = entry{key: strings.ToLower(text), shown: text}
	}
	return entries
}

// listed is a text of the account as an entry.
func listed(id, text *string) entry {
	e := entry{shown: "?"}
	if id != nil {
		e.id = *id
	}
	if text != nil {
		e.key, e.shown = strings.ToLower(*text), *text
	}
	return e
}

func ids(entries []entry) []string {
	list := make([]string, len(entries))
	for i, e := range entries {
		list[i] = e.id
	}
	return list
}

// add adds an entry, once.
func add[T any](
	ctx context.Context, s *settings, known []entry,
	create func(context.Context) error, find func(context.Context) (rpcfleet.Lookup[T], error),
) error {
	_, err := once(ctx, s.settle, ids(known), func(ctx context.Context) (string, error) { return "", create(ctx) }, find)
	return err
}

// tags compares the tags.
func (s *settings) tags(want list[string], have []admin.EndpointTag) {
	if want == nil {
		return
	}
	var entries []entry
	for _, tag := range have {
		e := listed(nil, tag.Label)
		if tag.TagID != nil {
			e.id = strconv.FormatInt(*tag.TagID, 10)
		}
		entries = append(entries, e)
	}
	s.entries("tags", entries, declared(want),
		func(ctx context.Context, i int) error {
			return add(ctx, s, entries,
				func(ctx context.Context) error { return s.client.Endpoints.AddTag(ctx, s.id, want[i]) },
				func(ctx context.Context) (rpcfleet.Lookup[admin.EndpointTag], error) {
					return s.client.Endpoints.FindAddedTag(ctx, s.id, want[i])
				})
		},
		func(ctx context.Context, id string) error {
			tag, err := strconv.ParseInt(id, 10, 64)
			if err != nil {
				return fmt.Errorf("the service tells no id of the tag: %w", err)
			}
			return s.client.Endpoints.RemoveTag(ctx, s.id, tag)
		})
}
