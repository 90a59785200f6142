package fleetotel_test

import (
	"context"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	api "go.opentelemetry.io/otel/trace"

	"github.com/rpcfleet/rpcfleet-go"
	fleetotel "github.com/rpcfleet/rpcfleet-go/contrib/otel"
	"github.com/rpcfleet/rpcfleet-go/emulator"
	"github.com/rpcfleet/rpcfleet-go/graph"
)

const secretKey = "made-up-key-0001"

// setup is an emulator, a client of it, and the data that its instrumentation exports.
type setup struct {
	*rpcfleet.Client
	service  *emulator.Emulator
	spans    *tracetest.InMemoryExporter
	readings *metric.ManualReader
	requests []api.SpanContext // Of the requests, by their contexts.
}

func (s *setup) RoundTrip(r *http.Request) (*http.Response, error) {
	s.requests = append(s.requests, api.SpanContextFromContext(r.Context()))
	return s.service.Client().Transport.RoundTrip(r)
}

func newSetup(t *testing.T, options ...rpcfleet.ClientOption) *setup {
	t.Helper()
	s := &setup{
		service: emulator.New(emulator.WithAPIKey(secretKey)),
		spans:   tracetest.NewInMemoryExporter(), readings: metric.NewManualReader(),
	}
	t.Cleanup(s.service.Close)
	instrumentation, err := fleetotel.New(fleetotel.Options{
		TracerProvider: trace.NewTracerProvider(trace.WithSyncer(s.spans)),
		MeterProvider:  metric.NewMeterProvider(metric.WithReader(s.readings)),
	})
	require.NoError(t, err)
	options = append(instrumentation.ClientOptions(), append([]rpcfleet.ClientOption{
		rpcfleet.WithBaseURL(emulator.ClientURL), rpcfleet.WithAPIKey(secretKey),
		rpcfleet.WithHTTPClient(&http.Client{Transport: s}),
		rpcfleet.WithRetryPolicy(
			rpcfleet.RetryPolicy{MaxAttempts: 3, BaseDelay: time.Millisecond, MaxDelay: time.Millisecond}),
	}, options...)...)
	s.Client, err = rpcfleet.New(options...)
	require.NoError(t, err)
	return s
}

func attributes(list []attribute.KeyValue) map[string]any {
	all := map[string]any{}
	for _, kv := range list {
		all[string(kv.Key)] = kv.Value.AsInterface()
	}
	return all
}

func TestSpans_forCallAndEachAttempt(t *testing.T) {
	s := newSetup(t)
	id := s.service.CreateEndpoints(1)[0]
	_, err := s.service.Inject(emulator.Fault{Operation: "getEndpoint", Times: 1, Status: 503})
	require.NoError(t, err)
	_, err = s.Endpoints.Get(t.Context(), id)
	require.NoError(t, err)

	spans := s.spans.GetSpans()
	require.Len(t, spans, 3)
	call := spans[2]
	assert.Equal(t, "rpcfleet.getEndpoint", call.Name)
	assert.Equal(t, api.SpanKindInternal, call.SpanKind)
	assert.Equal(t, map[string]any{
		"rpcfleet.operation": "getEndpoint", "rpcfleet.area": "admin", "rpcfleet.attempts": int64(2),
		"rpcfleet.outcome":    "ok",
		"rpcfleet.request_id": "req-2", "http.response.status_code": int64(200),
	}, attributes(call.Attributes))
	for i, attempt := range spans[:2] {
		assert.Equal(t, call.SpanContext.SpanID(), attempt.Parent.SpanID())
		assert.Equal(t, "GET /v0/endpoints/{id}", attempt.Name)
		assert.Equal(t, api.SpanKindClient, attempt.SpanKind)
		assert.Equal(t, attempt.SpanContext, s.requests[i], "the request's context has the attempt's span")
		want := map[string]any{
			"http.request.method": "GET", "url.template": "/v0/endpoints/{id}",
			"url.full":   "http://localhost/v0/endpoints/REDACTED",
			"url.scheme": "http", "server.address": "localhost", "server.port": int64(80), "network.protocol.version": "1.1",
			"rpcfleet.request_id": fmt.Sprint("req-", i+1), "http.response.status_code": int64(200),
		}
		got := attributes(attempt.Attributes)
		if i == 0 {
			assert.Equal(t, codes.Error, attempt.Status.Code)
			want["http.response.status_code"], want["error.type"] = int64(503), "503"
			want["rpcfleet.retry.wait"] = got["rpcfleet.retry.wait"]
			assert.Contains(t, got, "rpcfleet.retry.wait")
		} else {
			assert.Equal(t, codes.Unset, attempt.Status.Code)
			want["http.request.resend_count"] = int64(1)
		}
		assert.Equal(t, want, got)
	}
}

type never struct{}

func (never) Wait(context.Context) error { return context.DeadlineExceeded }

func TestSpans_recordFailures(t *testing.T) {
	redirect := emulator.Fault{Effect: emulator.EffectRedirect,
		Location: "https://elsewhere.example/?token=secret-token"}
	for name, test := range map[string]struct {
		fault         emulator.Fault
		call, attempt string // The error.type of the call and of its last attempt.
		options       []rpcfleet.ClientOption
	}{
		"not found":     {emulator.Fault{Status: 404}, "not_found", "404", nil},
		"used up":       {emulator.Fault{Status: 503}, "server_error", "503", nil},
		"cut short":     {emulator.Fault{Effect: emulator.EffectTruncate}, "not_found", "response_cut_short", nil},
		"a redirect":    {redirect, "failed", "", nil},
		"no JSON":       {emulator.Fault{Effect: emulator.EffectHTML}, "unreadable", "", nil},
		"no connection": {emulator.Fault{Effect: emulator.EffectLoseResponse}, "connection_failed", "connection_failed", nil},
		"timed out": {emulator.Fault{Latency: time.Second}, "timed_out", "timed_out",
			[]rpcfleet.ClientOption{rpcfleet.WithAttemptTimeout(10 * time.Millisecond)}},
		"held back": {emulator.Fault{Latency: 1}, "timed_out", "not_sent",
			[]rpcfleet.ClientOption{rpcfleet.WithPacer(never{})}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSetup(t, test.options...)
			_, err := s.service.Inject(test.fault)
			require.NoError(t, err)
			_, err = s.Endpoints.Get(t.Context(), "secret-id")
			require.Error(t, err)
			spans := s.spans.GetSpans()
			call, attempt := attributes(spans[len(spans)-1].Attributes), attributes(spans[len(spans)-2].Attributes)
			assert.Equal(t, test.call, call["error.type"])
			assert.Equal(t, codes.Error, spans[len(spans)-1].Status.Code)
			if test.attempt == "" {
				assert.NotContains(t, attempt, "error.type")
			} else {
				assert.Equal(t, test.attempt, attempt["error.type"])
			}
			noSecrets(t, s)
		})
	}
}

func collect(t *testing.T, reader *metric.ManualReader) []metricdata.Metrics {
	t.Helper()
	var readings metricdata.ResourceMetrics
	require.NoError(t, reader.Collect(t.Context(), &readings))
	return readings.ScopeMetrics[0].Metrics
}

// noSecrets checks all that was exported.
func noSecrets(t *testing.T, s *setup) {
	t.Helper()
	everything := fmt.Sprintf("%+v %+v", s.spans.GetSpans().Snapshots(), collect(t, s.readings))
	for _, span := range s.spans.GetSpans() {
		everything += fmt.Sprintf("%+v", span)
	}
	for _, secret := range []string{secretKey, "secret", "elsewhere"} {
		assert.NotContains(t, everything, secret)
	}
}

func TestTelemetry_hidesSecrets(t *testing.T) {
	s := newSetup(t, rpcfleet.WithBaseURL("http://localhost:8080/secret-path"))
	ctx := t.Context()
	_, _ = s.Endpoints.Get(ctx, "secret-id")
	_ = s.Endpoints.AddTag(ctx, "secret-id", "secret-label")
	_, _ = rpcfleet.Do[struct{}](ctx, s.Client, rpcfleet.Request{
		Method: "GET", Path: "/v0/endpoints/{id}", PathParams: map[string]string{"id": "secret-id"},
		Query: map[string][]string{"token": {"secret-token"}},
	})
	_, _ = graph.Query[map[string]any](ctx, s.Graph, "query Mine { ethereum { __typename } }",
		map[string]any{"wallet": "secret-wallet"})
	require.GreaterOrEqual(t, len(s.spans.GetSpans()), 8, "all of them were sent")
	noSecrets(t, s)
}

func TestMetrics_recordDurations(t *testing.T) {
	s := newSetup(t)
	_, err := s.service.Inject(emulator.Fault{Operation: "getAccountInfo", Times: 1, Status: 503})
	require.NoError(t, err)
	_, err = s.Account.Info(t.Context())
	require.NoError(t, err)
	counts := map[string]uint64{}
	for _, m := range collect(t, s.readings) {
		assert.Equal(t, "s", m.Unit)
		for _, point := range m.Data.(metricdata.Histogram[float64]).DataPoints {
			assert.Len(t, point.Bounds, 14)
			status, _ := point.Attributes.Value("http.response.status_code")
			failure, _ := point.Attributes.Value("error.type")
			outcome, _ := point.Attributes.Value("rpcfleet.outcome")
			counts[fmt.Sprint(m.Name, " ", status.AsInterface(), " ", failure.AsInterface(), " ",
				outcome.AsInterface())] = point.Count
		}
	}
	assert.Equal(t, map[string]uint64{
		"http.client.request.duration 503 503 <nil>":   1,
		"http.client.request.duration 200 <nil> <nil>": 1,
		"rpcfleet.call.duration <nil> <nil> ok":        1,
	}, counts)
}

func TestMetrics_boundStatusesAndProtocols(t *testing.T) {
	reader := metric.NewManualReader()
	instrumentation, err := fleetotel.New(
		fleetotel.Options{MeterProvider: metric.NewMeterProvider(metric.WithReader(reader))})
	require.NoError(t, err)
	for status := range 1000 {
		_, ended := instrumentation.ObserveAttempt(t.Context(), rpcfleet.Attempt{})
		ended(rpcfleet.AttemptResult{StatusCode: status, Protocol: fmt.Sprintf("HTTP/%d.%d", status/10%10, status%10)})
	}
	points := collect(t, reader)[0].Data.(metricdata.Histogram[float64]).DataPoints
	assert.Less(t, len(points), 80)
	failures := map[any]int{}
	for _, point := range points {
		failure, _ := point.Attributes.Value("error.type")
		failures[failure.AsInterface()]++
	}
	assert.Equal(t, 4, failures["_OTHER"], "each with one of the known protocols or none")
	assert.Equal(t, 1, failures["503"])
	assert.Zero(t, failures["599"])
}
