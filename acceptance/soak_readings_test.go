package acceptance

import (
	"bytes"
	"context"
	"encoding/json"
	"iter"
	"regexp"

	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
)

// soakReading is a read of something that nobody changes, and what it brings without faults, as JSON.
type soakReading struct {
	name string
	read func(ctx context.Context, c *rpcfleet.Client) (any, error)
	want string
}

// soakListing is a listing of something that nobody changes, and what it brings without faults, item by item.
type soakListing struct {
	name string
	read func(ctx context.Context, c *rpcfleet.Client, opts ...rpcfleet.CallOption) iter.Seq2[any, error]
	want []string
}

// readPlayer reads what nobody changes.
type readPlayer struct {
	*soaker
	readings []soakReading
	listings []soakListing
}

func (p *readPlayer) play() {
	if p.IntN(3) == 0 {
		p.list(p.listings[p.IntN(len(p.listings))])
		return
	}
	reading := p.readings[p.IntN(len(p.readings))]
	ctx, cancel := p.hurried()
	defer cancel()
	got, err := reading.read(ctx, p.client)
	if p.came(reading.name, err) {
		p.same(reading.name, reading.want, textOf(got))
	}
}

// list reads a listing, or the part of it that comes before a failure: what comes is right, and in its place.
func (p *readPlayer) list(listing soakListing) {
	var got []string
	ctx, cancel := p.hurried()
	defer cancel()
	options := []rpcfleet.CallOption{rpcfleet.WithPageSize(5 + p.IntN(40)), rpcfleet.WithPrefetch(p.IntN(2))}
	for item, err := range listing.read(ctx, p.client, options...) {
		if !p.came(listing.name, err) {
			p.sameList(listing.name+", before a failure", listing.want[:min(len(got), len(listing.want))], got)
			return
		}
		got = append(got, textOf(item))
	}
	p.sameList(listing.name, listing.want, got)
}

func (p *readPlayer) verify(*soakState) {}

// newMember is what a fault adds to records, which keep it.
var newMember = regexp.MustCompile(`"\$extra":\{"mood":"[^"]*"\},?`)

// textOf is a record as JSON, with the members in order: those of JSON of the service's own may come in any.
func textOf(record any) string {
	text, err := json.Marshal(record)
	if err != nil {
		return err.Error()
	}
	var value any
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		return err.Error()
	}
	text, _ = json.Marshal(value) // It has just been read.
	return newMember.ReplaceAllString(string(text), "")
}

// anyItems are the items of a listing, whatever their type.
func anyItems[T any](listing iter.Seq2[T, error]) iter.Seq2[any, error] {
	return func(yield func(any, error) bool) {
		for item, err := range listing {
			if !yield(item, err) {
				return
			}
		}
	}
}

// expect notes what the readings and listings bring without faults.
func (run *soak) expect(readings []soakReading, listings []soakListing) {
	ctx := run.t.Context()
	for i, reading := range readings {
		got, err := reading.read(ctx, run.clean)
		require.NoError(run.t, err, reading.name)
		readings[i].want = textOf(got)
	}
	for i, listing := range listings {
		for item, err := range listing.read(ctx, run.clean) {
			require.NoError(run.t, err, listing.name)
			listings[i].want = append(listings[i].want, textOf(item))
		}
		require.NotEmpty(run.t, listings[i].want, listing.name)
	}
}
