package acceptance

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"iter"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/emulator"
	"github.com/rpcfleet/rpcfleet-go/graph"
)

// TestFaults_haveDocumentedOutcomes injects each fault into a call of the client and compares the outcome of the call
// with faultRows: over pipes in a bubble, in which waiting costs nothing, and over sockets.
func TestFaults_haveDocumentedOutcomes(t *testing.T) {
	for _, row := range faultRows {
		for _, outcome := range row.outcomes.byCall() {
			call, want := outcome[0], outcome[1]
			if want == "" {
				continue
			}
			t.Run(row.title+", "+call+" in memory", func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					e := emulator.New()
					defer e.Close()
					row.play(t, call, want, e, emulator.ClientURL, rpcfleet.WithHTTPClient(e.Client()))
				})
			})
			if row.waits > 0 {
				continue
			}
			t.Run(row.title+", "+call+" over a socket", func(t *testing.T) {
				t.Parallel()
				server := emulator.Start()
				t.Cleanup(server.Close)
				row.play(t, call, want, server.Emulator, server.URL)
			})
		}
	}
}

// play injects the fault into one call of a client, and compares the outcome.
func (row faultRow) play(t *testing.T, name, want string, e *emulator.Emulator, address string,
	options ...rpcfleet.ClientOption,
) {
	client := must(rpcfleet.New(append([]rpcfleet.ClientOption{
		rpcfleet.WithBaseURL(address), rpcfleet.WithAPIKey(e.APIKey), rpcfleet.WithMaxBodySize(1 << 20),
		rpcfleet.WithRetryPolicy(rpcfleet.RetryPolicy{
			MaxAttempts: 3, BaseDelay: time.Millisecond, MaxDelay: time.Millisecond, MaxRetryAfter: time.Minute,
		}),
	}, options...)...))(t)
	account := newFaultyAccount(t, e)
	call, fault := faultCalls[name], row.fault
	fault.Operation = call.operation
	if row.retryAfter != nil {
		fault.RetryAfter = row.retryAfter()
	}
	injection := must(e.Inject(fault))(t)
	e.ResetCalls()
	began := time.Now()
	err := call.carryOut(t.Context(), client, account)
	assert.GreaterOrEqual(t, time.Since(began), row.waits)
	assert.Equal(t, want, outcomeOf(err)+attemptsOf(e.Calls(call.operation), call.writes), "%v", err)
	assert.Positive(t, injection.Fired())
	injection.Remove()
	require.NoError(t, second(client.Chains.List(t.Context())), "the client goes on")
}

// outcomeOf returns the result of a call for the caller.
func outcomeOf(err error) string {
	var decode *rpcfleet.DecodeError
	var failed *rpcfleet.Error
	switch {
	case err == nil:
		return "succeeds"
	case errors.Is(err, rpcfleet.ErrRepeatedPage):
		return "`ErrRepeatedPage`"
	case errors.As(err, &decode):
		text := "`DecodeError`, " + decode.Reason
		if errors.Is(err, rpcfleet.ErrNoRecord) {
			text += ", `ErrNoRecord`"
		}
		return text
	case errors.As(err, &failed) && failed.StatusCode == 0:
		return "`Error` without a status, `ErrConnection`"
	case errors.As(err, &failed):
		return fmt.Sprintf("`Error`, status %d", failed.StatusCode)
	}
	return err.Error()
}

// attemptsOf returns the attempts that arrived, and for writes how often the write was executed and not refused.
func attemptsOf(calls []emulator.Call, writes bool) string {
	var text strings.Builder
	fmt.Fprintf(&text, "; %d request", len(calls))
	if len(calls) != 1 {
		text.WriteString("s")
	}
	if !writes {
		return text.String()
	}
	done := 0
	for _, call := range calls {
		if call.Executed && call.Status < 400 {
			done++
		}
	}
	switch done {
	case 0:
		text.WriteString(", not executed")
	case 1:
		text.WriteString(", executed once")
	default:
		fmt.Fprintf(&text, ", executed %d times", done)
	}
	return text.String()
}

// faultRow is a fault, and the outcome of each call that meets it.
type faultRow struct {
	title    string
	fault    emulator.Fault
	outcomes outcomes
	// waits is how long the call takes at least. Rows that wait are for a bubble only.
	waits time.Duration
	// retryAfter makes the header if it depends on the time.
	retryAfter func() string
}

// outcomes are by faultCalls, empty for a call that does not meet the fault.
type outcomes struct{ read, create, archive, byOffset, byCursor, query string }

// byCall are the outcomes in the order of the page.
func (o outcomes) byCall() [][2]string {
	return [][2]string{{"read", o.read}, {"create", o.create}, {"archive", o.archive}, {"listing by offset", o.byOffset},
		{"listing by cursor", o.byCursor}, {"query", o.query}}
}

func inTwoSeconds() string { return time.Now().Add(2 * time.Second).UTC().Format(http.TimeFormat) }

// once is a fault that only the first request meets.
func once(effect emulator.Effect) emulator.Fault { return emulator.Fault{Times: 1, Effect: effect} }

func status(code int) emulator.Fault { return emulator.Fault{Times: 1, Status: code} }

func retryAfter(code int, header string) emulator.Fault {
	return emulator.Fault{Times: 1, Status: code, RetryAfter: header}
}

func field(pointer string, value any) emulator.Fault {
	return emulator.Fault{Effect: emulator.EffectSetField, Pointer: pointer, Value: value}
}

func without(pointer string) emulator.Fault {
	return emulator.Fault{Effect: emulator.EffectRemoveField, Pointer: pointer}
}

func failed(code int) string { return fmt.Sprintf("`Error`, status %d; 1 request", code) }

// The outcomes that several rows have.
const (
	succeeds, written, unwritten = "succeeds; 1 request", ", executed once", ", not executed"

	retried      = "succeeds; 2 requests"
	paged        = "succeeds; 5 requests"
	repeatedPage = "`ErrRepeatedPage`; 2 requests"
	cutShort     = "`DecodeError`, response cut short; 1 request"
	tooLarge     = "`DecodeError`, response too large; 1 request"
	isHTML       = "`DecodeError`, an HTML page instead of JSON; 1 request"
	lost         = "`Error` without a status, `ErrConnection`; 1 request"
	lostAll      = "`Error` without a status, `ErrConnection`; 3 requests"
	noData       = "`DecodeError`, no data in the response"
	redirect     = "`Error`, status 307; 1 request"
)

// faultRows are the faults and their outcomes. The client makes three attempts at most, waits a minute for Retry-After
// at most, and reads at most 1 MiB of a body.
var faultRows = []faultRow{
	{title: "latency of 300 ms", fault: emulator.Fault{Latency: 300 * time.Millisecond}, waits: 300 * time.Millisecond,
		outcomes: outcomes{read: succeeds}},
	{title: "the connection is closed without a byte", fault: once(emulator.EffectCloseConnection),
		outcomes: outcomes{read: retried, create: lost + unwritten, archive: retried + written}},
	{title: "reset before the response", fault: once(emulator.EffectResetBeforeResponse),
		outcomes: outcomes{read: retried, create: lost + unwritten, archive: retried + written}},
	{title: "reset in the middle of the response", fault: once(emulator.EffectResetDuringResponse),
		outcomes: outcomes{read: retried, create: cutShort + written, archive: retried + written}},
	{title: "reset after the response", fault: once(emulator.EffectResetAfterResponse),
		outcomes: outcomes{read: succeeds, create: succeeds + written, archive: succeeds + written}},
	{title: "executed, and the response is lost", fault: once(emulator.EffectLoseResponse),
		outcomes: outcomes{read: retried, create: lost + written, archive: retried + written}},
	{title: "the body is cut short", fault: once(emulator.EffectTruncate),
		outcomes: outcomes{read: retried, create: cutShort + written, archive: retried + written}},
	{title: "every connection is closed without a byte", fault: emulator.Fault{Effect: emulator.EffectCloseConnection},
		outcomes: outcomes{read: lostAll}},
	{title: "a byte every millisecond", outcomes: outcomes{read: succeeds}, waits: 300 * time.Millisecond,
		fault: emulator.Fault{Effect: emulator.EffectSlowBody, Interval: time.Millisecond}},
	{title: "a byte every 100 ms", outcomes: outcomes{read: lostAll}, waits: time.Minute,
		fault: emulator.Fault{Effect: emulator.EffectSlowBody}},

	{title: "408 once", fault: status(408),
		outcomes: outcomes{read: retried, create: failed(408) + unwritten, archive: retried + written}},
	{title: "425 once", fault: status(425),
		outcomes: outcomes{read: retried, create: failed(425) + unwritten, archive: retried + written}},
	{title: "429 once", fault: status(429),
		outcomes: outcomes{read: retried, create: retried + written, archive: retried + written}},
	{title: "500 once", fault: status(500),
		outcomes: outcomes{read: retried, create: failed(500) + unwritten, archive: retried + written}},
	{title: "502 once", fault: status(502),
		outcomes: outcomes{read: retried, create: failed(502) + unwritten, archive: retried + written}},
	{title: "503 once", fault: status(503),
		outcomes: outcomes{read: retried, create: failed(503) + unwritten, archive: retried + written}},
	{title: "504 once", fault: status(504),
		outcomes: outcomes{read: retried, create: failed(504) + unwritten, archive: retried + written}},
	{title: "429 always", fault: emulator.Fault{Status: 429},
		outcomes: outcomes{read: "`Error`, status 429; 3 requests"}},
	{title: "404 from a gateway", fault: emulator.Fault{Status: 404},
		outcomes: outcomes{read: "`Error`, status 404; 1 request"}},
	{title: "404, the body is cut short", outcomes: outcomes{read: failed(404), create: failed(404) + unwritten},
		fault: emulator.Fault{Status: 404, Header: http.Header{"Content-Length": {"9"}}, Body: "{"}},
	{title: "429, Retry-After in seconds", fault: retryAfter(429, "2"), waits: 2 * time.Second,
		outcomes: outcomes{read: retried}},
	{title: "429, Retry-After of an hour", fault: retryAfter(429, "3600"),
		outcomes: outcomes{read: failed(429)}},
	{title: "429, Retry-After of many years", fault: retryAfter(429, "99999999999999999999"),
		outcomes: outcomes{read: failed(429)}},
	{title: "429, Retry-After below zero", fault: retryAfter(429, "-5"), outcomes: outcomes{read: retried}},
	{title: "429, Retry-After in words", fault: retryAfter(429, "soon"), outcomes: outcomes{read: retried}},
	{title: "503, Retry-After of a date in the past", fault: retryAfter(503, "Thu, 01 Jan 1970 00:00:00 GMT"),
		outcomes: outcomes{read: retried}},
	{title: "503, Retry-After of a date far off", fault: retryAfter(503, "Fri, 31 Dec 9999 23:59:59 GMT"),
		outcomes: outcomes{read: failed(503)}},
	{title: "429, Retry-After of a date two seconds off", fault: status(429), waits: 2 * time.Second,
		retryAfter: inTwoSeconds, outcomes: outcomes{read: retried}},

	{title: "a page of HTML, status 200", fault: once(emulator.EffectHTML),
		outcomes: outcomes{read: isHTML, create: isHTML + unwritten}},
	{title: "a page of HTML, status 502", fault: emulator.Fault{Times: 1, Effect: emulator.EffectHTML, Status: 502},
		outcomes: outcomes{read: retried, create: failed(502) + unwritten}},
	{title: "a wrong content type", fault: once(emulator.EffectWrongContentType),
		outcomes: outcomes{read: succeeds, create: succeeds + written}},
	{title: "a wrong content type, image/png",
		outcomes: outcomes{read: "`DecodeError`, unexpected content type; 1 request"},
		fault:    emulator.Fault{Times: 1, Effect: emulator.EffectWrongContentType, ContentType: "image/png"}},
	{title: "a Content-Length that is too small", fault: once(emulator.EffectWrongContentLength),
		outcomes: outcomes{read: cutShort, create: cutShort + written}},
	{title: "invalid gzip", fault: once(emulator.EffectInvalidGzip),
		outcomes: outcomes{read: retried, create: cutShort + written}},
	{title: "a body without an end", fault: once(emulator.EffectEndlessBody),
		outcomes: outcomes{read: tooLarge, create: tooLarge + unwritten}},
	{title: "a redirect to another origin", fault: once(emulator.EffectRedirect),
		outcomes: outcomes{read: redirect, create: redirect + unwritten}},
	{title: "a redirect at the same origin", outcomes: outcomes{create: redirect + unwritten},
		fault: emulator.Fault{Times: 1, Status: 307, Header: http.Header{"Location": {"/v0/endpoints"}}}},

	{title: "a limit that is lowered", fault: emulator.Fault{Effect: emulator.EffectLowerLimit, Limit: 1},
		outcomes: outcomes{byOffset: "succeeds; 9 requests", byCursor: paged, query: paged}},
	{title: "a page that is repeated", fault: emulator.Fault{Effect: emulator.EffectRepeatPage},
		outcomes: outcomes{byOffset: "`ErrRepeatedPage`; 3 requests", byCursor: repeatedPage, query: repeatedPage}},
	{title: "a cursor that is repeated", fault: emulator.Fault{Effect: emulator.EffectRepeatCursor},
		outcomes: outcomes{byCursor: repeatedPage, query: repeatedPage}},

	{title: "an id that has become a number", fault: field("/data/id", 7), outcomes: outcomes{read: succeeds}},
	{title: "a text that has become an object", fault: field("/data/chain", map[string]any{"slug": "eth"}),
		outcomes: outcomes{read: "`DecodeError`, unexpected type; 1 request"}},
	{title: "a list that has become null", fault: field("/data/tags", nil), outcomes: outcomes{read: succeeds}},
	{title: "an unknown field", fault: field("/data/mood", "good"), outcomes: outcomes{read: succeeds}},
	{title: "a missing field", fault: without("/data/chain"), outcomes: outcomes{read: succeeds}},
	{title: "no payload", fault: without("/data"), outcomes: outcomes{read: noData + "; 1 request"}},
	{title: "no id", fault: without("/data/id"),
		outcomes: outcomes{create: noData + ", `ErrNoRecord`; 1 request" + written}},
}

const (
	faultsPage = "../../docs/faults.md"
	// otherClients begins the rest of the page, which benchmarks/twice writes.
	otherClients = "\n<!-- twice: written by go run ./internal/benchmarks/twice -page docs/faults.md -->\n"
)

var update = flag.Bool("update", false, "write the pages that are made of the tests")

// TestFaults_tableIsCompleteAndDocumented finds each effect and status in the rows, and the rows in docs/faults.md.
// With -update it writes its part of that page.
func TestFaults_tableIsCompleteAndDocumented(t *testing.T) {
	shown := map[emulator.Effect]bool{}
	for _, row := range faultRows {
		shown[row.fault.Effect] = true
	}
	for _, effect := range emulator.Effects() {
		assert.True(t, shown[effect], effect)
	}
	for _, status := range []int{408, 425, 429, 500, 502, 503, 504} {
		assert.True(t, slices.ContainsFunc(faultRows, func(row faultRow) bool { return row.fault.Status == status }), status)
	}
	written := must(os.ReadFile(faultsPage))(t)
	rows, rest, found := strings.Cut(string(written), otherClients)
	require.True(t, found, "the page has no marker for the tables of other clients")
	page := faultsTable()
	if *update {
		require.NoError(t, os.WriteFile(faultsPage, []byte(page+otherClients+rest), 0o644))
		rows = page
	}
	assert.Equal(t, page, rows, "go test -run TestFaults_tableIsCompleteAndDocumented ./internal/acceptance -update writes it")
}

// faultsTable returns the rows as a page of Markdown.
func faultsTable() string {
	page := `# Faults, and what becomes of a call

Written by
` + "`go test -run TestFaults_tableIsCompleteAndDocumented ./internal/acceptance -update`" + `.
` + "`TestFaults_haveDocumentedOutcomes`" + ` injects each fault into the emulator and compares the call with its row, in
memory and, if no wait is needed, over sockets.

The client makes three attempts at most, waits a minute for Retry-After at most, and reads at most 1 MiB of a body.
"read" is idempotent and changes nothing, "archive" is idempotent, "create" is not. "Executed" is how often the
service did what it was asked to. [The end of the page](#creates-beside-other-clients) counts that for other clients too.

| fault | call | outcome |
| --- | --- | --- |
`
	for _, row := range faultRows {
		for _, outcome := range row.outcomes.byCall() {
			if outcome[1] != "" {
				page += fmt.Sprintf("| %s | %s | %s |\n", row.title, outcome[0], outcome[1])
			}
		}
	}
	return page
}

// faultyAccount is the account that the calls that meet faults need: endpoints with a log.
type faultyAccount struct {
	endpoints []string
	now       time.Time
}

func newFaultyAccount(t *testing.T, e *emulator.Emulator) faultyAccount {
	t.Helper()
	account := faultyAccount{endpoints: e.CreateEndpoints(5), now: time.Now()}
	for i := range 5 {
		at := account.now.Add(time.Duration(i-10) * time.Second)
		_, err := e.AppendLog(account.endpoints[0], emulator.LoggedCall{Method: "eth_call", Timestamp: at})
		require.NoError(t, err)
	}
	return account
}

// faultCall is a call that meets a fault.
type faultCall struct {
	operation string
	writes    bool
	carryOut  func(context.Context, *rpcfleet.Client, faultyAccount) error
}

// faultCalls are a read, writes with and without harm in their repetition, and listings of each kind of paging.
var faultCalls = map[string]faultCall{
	"read": {"getEndpoint", false, func(ctx context.Context, c *rpcfleet.Client, a faultyAccount) error {
		return second(c.Endpoints.Get(ctx, a.endpoints[0]))
	}},
	"create": {"createEndpoint", true, func(ctx context.Context, c *rpcfleet.Client, _ faultyAccount) error {
		return second(c.Endpoints.Create(ctx, admin.CreateEndpointRequest{Chain: "eth", Network: "mainnet"}))
	}},
	"archive": {"archiveEndpoint", true, func(ctx context.Context, c *rpcfleet.Client, a faultyAccount) error {
		return c.Endpoints.Archive(ctx, a.endpoints[0])
	}},
	"listing by offset": {"listEndpoints", false, func(ctx context.Context, c *rpcfleet.Client, _ faultyAccount) error {
		return count(5, c.Endpoints.All(ctx, admin.ListEndpointsParams{Limit: new(2)}))
	}},
	"listing by cursor": {"listLogs", false, func(ctx context.Context, c *rpcfleet.Client, a faultyAccount) error {
		return count(5, c.Logs.All(ctx, a.endpoints[0], admin.ListLogsParams{
			From: a.now.Add(-time.Hour), To: a.now, Limit: new(2),
		}))
	}},
	"query": {"graph", false, func(ctx context.Context, c *rpcfleet.Client, _ faultyAccount) error {
		return count(5,
			c.Graph.Collections(graph.ChainEthereum, graph.CollectionsFilterInput{}, rpcfleet.WithPageSize(2)).All(ctx))
	}},
}

// count reads a listing to its end, or to its first error, and finds as many different items as there are.
func count[T any](want int, items iter.Seq2[T, error]) error {
	seen := map[string]bool{}
	n := 0
	for item, err := range items {
		if err != nil {
			return err
		}
		seen[fmt.Sprintf("%+v", item)] = true
		n++
	}
	if n != want || len(seen) != want {
		return fmt.Errorf("%d items, %d of them different", n, len(seen))
	}
	return nil
}
