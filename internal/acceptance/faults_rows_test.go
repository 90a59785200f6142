package acceptance

import (
	"fmt"
	"net/http"
	"time"

	"github.com/rpcfleet/rpcfleet-go/emulator"
)

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
	{title: "gzip that is none", fault: once(emulator.EffectInvalidGzip),
		outcomes: outcomes{read: retried, create: cutShort + written}},
	{title: "a body without an end", fault: once(emulator.EffectEndlessBody),
		outcomes: outcomes{read: tooLarge, create: tooLarge + unwritten}},
	{title: "a redirect to another origin", fault: once(emulator.EffectRedirect),
		outcomes: outcomes{read: redirect, create: redirect + unwritten}},

	{title: "a limit that is lowered", fault: emulator.Fault{Effect: emulator.EffectLowerLimit, Limit: 1},
		outcomes: outcomes{byOffset: paged, byCursor: paged, query: paged}},
	{title: "a page that is repeated", fault: emulator.Fault{Effect: emulator.EffectRepeatPage},
		outcomes: outcomes{byOffset: repeatedPage, byCursor: repeatedPage, query: repeatedPage}},
	{title: "a cursor that is repeated", fault: emulator.Fault{Effect: emulator.EffectRepeatCursor},
		outcomes: outcomes{byCursor: repeatedPage, query: repeatedPage}},

	{title: "an id that has become a number", fault: field("/data/id", 7), outcomes: outcomes{read: succeeds}},
	{title: "a text that has become an object", fault: field("/data/chain", map[string]any{"slug": "ethereum"}),
		outcomes: outcomes{read: "`DecodeError`, unexpected type; 1 request"}},
	{title: "a list that has become null", fault: field("/data/tags", nil), outcomes: outcomes{read: succeeds}},
	{title: "a member that nobody knows", fault: field("/data/mood", "good"), outcomes: outcomes{read: succeeds}},
	{title: "a member that is gone", fault: without("/data/chain"), outcomes: outcomes{read: succeeds}},
	{title: "no payload", fault: without("/data"), outcomes: outcomes{read: noData + "; 1 request"}},
	{title: "no id", fault: without("/data/id"),
		outcomes: outcomes{create: noData + ", `ErrNoRecord`; 1 request" + written}},
}
