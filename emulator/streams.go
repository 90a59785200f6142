package emulator

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/serve"
	"github.com/rpcfleet/rpcfleet-go/emulator/internal/streamsapi"
)

// streamsPath begins the paths of the streams area.
const streamsPath = "/streams/rest/v1"

// stream is a stream, with the next block that it delivers.
type stream struct {
	streamsapi.Stream

	next int64
}

// checkTarget checks the attributes of a destination of a known kind. An unknown kind has any.
func checkTarget(kind string, attributes streamsapi.Attributes) error {
	known := map[string]any{
		"webhook": &streamsapi.Webhook{}, "s3": &streamsapi.S3{}, "azure": &streamsapi.Azure{},
		"postgres": &streamsapi.Postgres{}, "kafka": &streamsapi.Kafka{},
	}[kind]
	if known == nil {
		return nil
	}
	text, _ := json.Marshal(attributes) // It was JSON.
	if err := json.Unmarshal(text, known); err != nil {
		return refusal("destination_attributes are not acceptable: " + err.Error())
	}
	if webhook, is := known.(*streamsapi.Webhook); is && webhook.Headers == nil {
		return refusal("destination_attributes.headers is required")
	}
	if err := serve.Check(known); err != nil {
		return refusal("destination_attributes." + err.Error())
	}
	return nil
}

// checkStream checks what no record states.
func checkStream(s *streamsapi.Stream) error {
	start, end := valueOr(s.StartRange, -1), valueOr(s.EndRange, -1)
	for _, target := range append(slices.Clone(s.ExtraDestinations), streamsapi.Target{Kind: s.Kind,
		Attributes: s.Attributes}) {
		if err := checkTarget(target.Kind, target.Attributes); err != nil {
			return err
		}
	}
	switch {
	case start < -1 || end < -1 || end != -1 && end < start:
		return refusal("end_range must not be before start_range")
	case s.ElasticBatchEnabled && end != -1:
		return refusal("elastic_batch_enabled needs a stream without an end")
	case s.DatasetBatchSize < 1:
		return refusal("dataset_batch_size must be at least 1")
	case s.FixBlockReorgs < 0 || s.FixBlockReorgs > 1:
		return refusal("fix_block_reorgs must be 0 or 1")
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

func (r *request) stream(id string) (*stream, error) {
	for _, one := range r.state.platform.streams {
		if one.ID == id {
			return one, nil
		}
	}
	return nil, notFound("stream not found")
}

func (r *request) CreateStream(body *streamsapi.CreateStreamRequest) (
	*streamsapi.Stream, error) {
	if body.Status != streamsapi.StatusActive && body.Status != streamsapi.StatusPaused {
		return nil, refusal("status must be active or paused")
	}
	made := streamsapi.Stream{
		Name: body.Name, Status: body.Status, Network: body.Network, Dataset: body.Dataset, Region: body.Region,
		StartRange: body.StartRange, EndRange: body.EndRange, Kind: body.Kind, Attributes: body.Attributes,
		ExtraDestinations: body.ExtraDestinations, FilterFunction: body.FilterFunction,
		FilterLanguage:    valueOr(body.FilterLanguage, ""),
		AddressBookConfig: body.AddressBookConfig, DatasetBatchSize: body.DatasetBatchSize,
		ElasticBatchEnabled: body.ElasticBatchEnabled, RestreamBatchOnReorg: body.RestreamBatchOnReorg,
		FixBlockReorgs: body.FixBlockReorgs, KeepDistanceFromTip: body.KeepDistanceFromTip,
		IncludeStreamMetadata: valueOr(body.IncludeStreamMetadata, ""), NotificationEmail: body.NotificationEmail,
	}
	if err := checkStream(&made); err != nil {
		return nil, err
	}
	made.ID, made.CreatedAt, made.UpdatedAt = r.state.ids.uuid(), r.state.now(), r.state.now()
	made.Attributes = r.withToken(made.Kind, made.Attributes)
	next := valueOr(made.StartRange, -1)
	if next < 0 {
		next = r.state.platform.heads[string(made.Network)]
	}
	r.state.platform.streams = append(r.state.platform.streams, &stream{made, next})
	return &made, nil
}

// ListStreams is GET /streams. The oldest comes first; order_direction desc turns the order.
func (r *request) ListStreams(params streamsapi.ListStreamsParams) (
	*streamsapi.StreamPage, error) {
	all := slices.Clone(r.state.platform.streams)
	if valueOr(params.OrderDirection, "") == "desc" {
		slices.Reverse(all)
	}
	page, limit, offset, err := platformPage(&r.settings, all, params.Limit, params.Offset)
	return &streamsapi.StreamPage{
		Data:     each(page, func(one *stream) streamsapi.Stream { return one.Stream }),
		PageInfo: streamsapi.PageInfo{Limit: limit, Offset: offset, Total: len(all)},
	}, err
}

func (r *request) GetStream(id string) (*streamsapi.Stream, error) {
	one, err := r.stream(id)
	if err != nil {
		return nil, err
	}
	shown := one.Stream
	return &shown, nil
}

// UpdateStream is PATCH /streams/{id}. A webhook without a security token gets a new one (assumed).
func (r *request) UpdateStream(id string, body *streamsapi.UpdateStreamRequest) (
	*streamsapi.Stream, error) {
	one, err := r.stream(id)
	if err != nil {
		return nil, err
	}
	s := one.Stream
	s.Name, s.Status = valueOr(body.Name, s.Name), valueOr(body.Status, s.Status)
	s.StartRange, s.EndRange = cmp.Or(body.StartRange, s.StartRange), cmp.Or(body.EndRange, s.EndRange)
	s.FilterFunction = valueOr(body.FilterFunction, s.FilterFunction)
	s.FilterLanguage = valueOr(body.FilterLanguage, s.FilterLanguage)
	s.AddressBookConfig = cmp.Or(body.AddressBookConfig, s.AddressBookConfig)
	s.DatasetBatchSize = valueOr(body.DatasetBatchSize, s.DatasetBatchSize)
	s.ElasticBatchEnabled = valueOr(body.ElasticBatchEnabled, s.ElasticBatchEnabled)
	s.RestreamBatchOnReorg = valueOr(body.RestreamBatchOnReorg, s.RestreamBatchOnReorg)
	s.FixBlockReorgs = valueOr(body.FixBlockReorgs, s.FixBlockReorgs)
	s.KeepDistanceFromTip = valueOr(body.KeepDistanceFromTip, s.KeepDistanceFromTip)
	s.IncludeStreamMetadata = valueOr(body.IncludeStreamMetadata, s.IncludeStreamMetadata)
	s.NotificationEmail = valueOr(body.NotificationEmail, s.NotificationEmail)
	if body.ExtraDestinations != nil {
		s.ExtraDestinations = body.ExtraDestinations
	}
	if body.Kind != "" {
		s.Kind, s.Attributes = body.Kind, r.withToken(body.Kind, body.Attributes)
	}
	if err := checkStream(&s); err != nil {
		return nil, err
	}
	s.UpdatedAt = r.state.now()
	if body.StartRange != nil && s.Sequence == nil {
		one.next = *body.StartRange
	}
	one.Stream = s
	return &s, nil
}

// ActivateStream is POST /streams/{id}/activate. A terminated stream goes on, and a completed one does not.
func (r *request) ActivateStream(id string) error {
	return r.setStream(id, streamsapi.StatusActive)
}

func (r *request) PauseStream(id string) error {
	return r.setStream(id, streamsapi.StatusPaused)
}

func (r *request) setStream(id string, status streamsapi.Status) error {
	one, err := r.stream(id)
	switch {
	case err != nil:
		return err
	case one.Status == streamsapi.StatusCompleted:
		return refusal("the stream has completed")
	}
	one.Status, one.Memo = status, ""
	return nil
}

func (r *request) DeleteStream(id string) error {
	one, err := r.stream(id)
	r.state.platform.streams = slices.DeleteFunc(r.state.platform.streams, func(s *stream) bool { return s == one })
	return err
}

func (r *request) DeleteAllStreams() error {
	r.state.platform.streams = nil
	return nil
}

func (r *request) CountEnabledStreams(streamsapi.CountEnabledStreamsParams) (
	*streamsapi.StreamCount, error) {
	count := &streamsapi.StreamCount{}
	for _, one := range r.state.platform.streams {
		if one.Status == streamsapi.StatusActive {
			count.Total++
		}
	}
	return count, nil
}

// TestStreamFilter is POST /streams/test_filter: see filtered.
func (r *request) TestStreamFilter(body *streamsapi.FilterTest) (
	*streamsapi.FilterResult, error) {
	result, logs, err := testFilter(string(body.FilterFunction), string(body.Network), body.Block)
	return &streamsapi.FilterResult{Result: result, Logs: logs}, err
}
