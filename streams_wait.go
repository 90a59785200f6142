package rpcfleet

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/scalar"
	"github.com/rpcfleet/rpcfleet-go/streams"
)

// StreamsService manages streams of the data of blocks to a destination: see package streams. All routes are observed.
type StreamsService engine

// Create creates a stream. If its webhook has no security token, the service makes one, which the response contains.
// POST /streams/rest/v1/streams
func (s *StreamsService) Create(ctx context.Context, stream streams.CreateStreamRequest, opts ...CallOption) (
	*streams.Stream, error) {
	request := api.CreateStream(stream)
	request.Violation = cmp.Or(request.Violation, api.DestinationsRules(stream.Target, stream.ExtraDestinations))
	return create(ctx, (*engine)(s), request, opts, createdCreateStream(s, stream))
}

// Update changes the fields that are not nil, and the destination if it is given. The network, the dataset and the
// region stay. If the destination is a webhook without a security token, the stream's is requested and sent again: see
// [WithNewSecurityToken].
// PATCH /streams/rest/v1/streams/{stream_id}
func (s *StreamsService) Update(ctx context.Context, id string, update streams.UpdateStreamRequest,
	opts ...CallOption) (*streams.Stream, error) {
	rules := errorOf(api.DestinationsRules(update.Target, update.ExtraDestinations))
	c := (*engine)(s).newCall(api.UpdateStream(id, update).Request, opts, rules)
	if c.err != nil {
		return nil, c.err
	}
	webhook, is := update.Destination().(streams.Webhook)
	if is && webhook.SecurityToken.IsZero() && !c.settings.newToken {
		current, err := s.Get(ctx, id, withoutQuery(opts)...)
		if err != nil {
			return nil, err
		}
		if before, is := current.Destination().(streams.Webhook); is {
			if err := tokenShown(before.SecurityToken, c.request.Operation); err != nil {
				return nil, err
			}
			update.Attributes = withToken(update.Attributes, before.SecurityToken)
		}
	}
	return fetchChanged(ctx, (*engine)(s), api.UpdateStream(id, update), opts, streams.Stream{
		ID: id, Name: deref(update.Name), Status: deref(update.Status), Target: update.Target,
		ExtraDestinations: update.ExtraDestinations, StartRange: update.StartRange, EndRange: update.EndRange,
	})
}

// withToken returns a copy of the attributes with a security token, and with all that no type has.
func withToken(attributes streams.Attributes, token scalar.Secret) (changed streams.Attributes) {
	for name, value := range attributes.All() {
		changed.Add(name, string(value))
	}
	text, _ := json.Marshal(token.Reveal()) // A text can be written.
	changed.Add("security_token", string(text))
	return changed
}

// CountEnabled returns the number of active streams.
// GET /streams/rest/v1/streams/enabled_count
func (s *StreamsService) CountEnabled(ctx context.Context, params streams.CountEnabledStreamsParams,
	opts ...CallOption) (int, error) {
	found, err := fetch(ctx, (*engine)(s), api.CountEnabledStreams(&params), opts)
	return orNew(found).Total, err
}

// waitInterval is the time between two readings of WaitFor.
const waitInterval = 5 * time.Second

// WaitFor reads a stream every five seconds until it has the status, and returns it. Each reading is passed to seen, if
// it is not nil: [streams.Stream.Progress] has the blocks done of its range. If the stream was terminated or blocked,
// or has completed, it is returned with [ErrStreamStopped]. The context limits the wait; a failure ends it.
// GET /streams/rest/v1/streams/{stream_id}
func (s *StreamsService) WaitFor(ctx context.Context, id string, status streams.Status, seen func(*streams.Stream),
	opts ...CallOption) (*streams.Stream, error) {
	for {
		stream, err := fetch(ctx, (*engine)(s), api.GetStream(id), opts, oneOf("status", status))
		if err != nil {
			return nil, err
		}
		if seen != nil {
			seen(stream)
		}
		switch stream.Status {
		case status:
			return stream, nil
		case streams.StatusTerminated, streams.StatusBlocked, streams.StatusCompleted, "":
			return stream, fmt.Errorf("%w: it is %s: %s", ErrStreamStopped, redactArg(string(stream.Status)),
				redactArg(stream.Memo))
		}
		select {
		case <-ctx.Done():
			return stream, withCause(ctx, ctx.Err())
		case <-time.After(waitInterval):
		}
	}
}
