package emulator

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/serve"
	"github.com/rpcfleet/rpcfleet-go/emulator/internal/streamsapi"
)

// stream is a stream, with the next block that it delivers.
type stream struct {
	streamsapi.Stream

	next int64
}

// readTarget reads and checks the attributes of a destination of a known kind. An unknown kind has any.
func readTarget(kind string, attributes streamsapi.Attributes) (known any, err error) {
	known = map[string]any{
		"webhook": &streamsapi.Webhook{}, "s3": &streamsapi.S3{}, "azure": &streamsapi.Azure{},
		"postgres": &streamsapi.Postgres{}, "kafka": &streamsapi.Kafka{},
	}[kind]
	if known == nil {
		return nil, nil
	}
	text, _ := json.Marshal(attributes) // It was JSON.
	if err := json.Unmarshal(text, known); err != nil {
		return nil, serve.BadRequest("destination_attributes are not acceptable: " + err.Error())
	}
	if err := serve.Check(known); err != nil {
		return nil, serve.BadRequest("destination_attributes." + err.Error())
	}
	return known, nil
}

// checkStream checks what no record states.
func checkStream(s *streamsapi.Stream) error {
	start, end := valueOr(s.StartRange, -1), valueOr(s.EndRange, -1)
	for _, target := range append(slices.Clone(s.ExtraDestinations), streamsapi.Target{Kind: s.Kind,
		Attributes: s.Attributes}) {
		if _, err := readTarget(target.Kind, target.Attributes); err != nil {
			return err
		}
	}
	switch {
	case start < -1 || end < -1 || end != -1 && end < start:
		return serve.BadRequest("end_range must not be before start_range")
	case s.ElasticBatchEnabled && end != -1:
		return serve.BadRequest("elastic_batch_enabled needs a stream without an end")
	case s.DatasetBatchSize < 1:
		return serve.BadRequest("dataset_batch_size must be at least 1")
	case s.FixBlockReorgs < 0 || s.FixBlockReorgs > 1:
		return serve.BadRequest("fix_block_reorgs must be 0 or 1")
	}
	return knownNetwork(string(s.Network))
}

// withToken gives the attributes of a webhook a security token if they have none.
func (r *request) withToken(kind string, attributes streamsapi.Attributes) streamsapi.Attributes {
	if token, _ := attributes["security_token"].(string); kind != "webhook" || token != "" {
		return attributes
	}
	attributes = maps.Clone(attributes)
	attributes["security_token"] = r.newToken()
	return attributes
}

func (r *request) CreateStream(body *streamsapi.CreateStreamRequest) (*streamsapi.Stream, error) {
	if body.Status != streamsapi.StatusActive && body.Status != streamsapi.StatusPaused {
		return nil, serve.BadRequest("status must be active or paused")
	}
	made := merged(streamsapi.Stream{ID: r.state.ids.uuid(), CreatedAt: r.state.now(), UpdatedAt: r.state.now()}, body)
	if err := checkStream(&made); err != nil {
		return nil, err
	}
	made.Attributes = r.withToken(made.Kind, made.Attributes)
	next := valueOr(made.StartRange, -1)
	if next < 0 {
		next = r.state.heads[string(made.Network)]
	}
	r.state.streams = append(r.state.streams, &stream{made, next})
	return &made, nil
}

// ListStreams is GET /streams. The oldest comes first; order_direction desc turns the order.
func (r *request) ListStreams(params streamsapi.ListStreamsParams) (*streamsapi.StreamPage, error) {
	all := slices.Clone(r.state.streams)
	if valueOr(params.OrderDirection, "") == "desc" {
		slices.Reverse(all)
	}
	page, limit, offset, err := offsetPage(&r.settings, all, params.Limit, params.Offset)
	return &streamsapi.StreamPage{
		Data:     each(page, func(one *stream) streamsapi.Stream { return one.Stream }),
		PageInfo: streamsapi.PageInfo{Limit: limit, Offset: offset, Total: len(all)},
	}, err
}

func (r *request) GetStream(string) (*streamsapi.Stream, error) { return &r.stream.Stream, nil }

// UpdateStream is PATCH /streams/{id}. A webhook without a security token gets a new one (assumed).
func (r *request) UpdateStream(_ string, body *streamsapi.UpdateStreamRequest) (*streamsapi.Stream, error) {
	changed := merged(r.stream.Stream, body)
	if body.ExtraDestinations != nil {
		changed.ExtraDestinations = body.ExtraDestinations // Maybe none.
	}
	changed.Attributes = r.withToken(changed.Kind, changed.Attributes)
	if err := checkStream(&changed); err != nil {
		return nil, err
	}
	changed.UpdatedAt = r.state.now()
	if body.StartRange != nil && changed.Sequence == nil {
		r.stream.next = *body.StartRange
	}
	r.stream.Stream = changed
	return &changed, nil
}

// ActivateStream is POST /streams/{id}/activate. A terminated stream goes on, and a completed one does not.
func (r *request) ActivateStream(string) error { return r.setStream(streamsapi.StatusActive) }
func (r *request) PauseStream(string) error    { return r.setStream(streamsapi.StatusPaused) }

func (r *request) setStream(status streamsapi.Status) error {
	if r.stream.Status == streamsapi.StatusCompleted {
		return serve.BadRequest("the stream has completed")
	}
	r.stream.Status, r.stream.Memo = status, ""
	return nil
}

func (r *request) DeleteStream(id string) error {
	remove(&r.state.streams, id)
	return nil
}

func (r *request) DeleteAllStreams() error {
	r.state.streams = nil
	return nil
}

func (r *request) CountEnabledStreams(streamsapi.CountEnabledStreamsParams) (*streamsapi.StreamCount, error) {
	active := func(one *stream) bool { return one.Status == streamsapi.StatusActive }
	return &streamsapi.StreamCount{Total: count(r.state.streams, active)}, nil
}

// TestStreamFilter is POST /streams/test_filter: see filtered.
func (r *request) TestStreamFilter(body *streamsapi.FilterTest) (*streamsapi.FilterResult, error) {
	result, logs, err := testFilter(string(body.FilterFunction), string(body.Network), body.Block)
	return &streamsapi.FilterResult{Result: result, Logs: logs}, err
}
