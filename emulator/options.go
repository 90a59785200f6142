package emulator

import (
	"net/http"
	"strconv"
	"time"
)

// Option configures an emulator.
type Option func(*settings)

type settings struct {
	seed        uint64
	clock       func() time.Time
	apiKey      string
	pageCap     int
	hosts       []string // Those that requests may name beside the emulator's own.
	tagsGated   bool     // The plan does not include the list of tags.
	alertsGated bool     // The plan does not include alerts.
	faults      []Fault
	controlled  bool
	bucket      tokenBucket
}

// WithSeed sets the seed of ids, tokens and made-up data. Two emulators with the same seed and clock give the same
// responses to the same requests with the same bytes.
func WithSeed(seed uint64) Option { return func(s *settings) { s.seed = seed } }

// WithClock sets the clock. It is called concurrently.
func WithClock(clock func() time.Time) Option { return func(s *settings) { s.clock = clock } }

// WithAPIKey sets the administrator's key.
func WithAPIKey(key string) Option { return func(s *settings) { s.apiKey = key } }

// WithMaxPageSize sets the largest page of a listing, 250 by default, and 100 for logs. A larger limit is lowered
// without an error, as the service does.
func WithMaxPageSize(items int) Option { return func(s *settings) { s.pageCap = max(items, 1) } }

// WithoutTagList gives the account a plan without the list of tags: the operation responds with 403.
func WithoutTagList() Option { return func(s *settings) { s.tagsGated = true } }

// WithHosts lets requests reach the emulator under these names and IP addresses as well. A request over a network is
// otherwise rejected with 421, unless its Host is the address that it was sent to, a loopback address, or localhost.
// Else a page in a browser could reach the emulator under a name of its own that leads here (DNS rebinding), and the
// default keys are public. Ports do not matter, and are left out here.
func WithHosts(hosts ...string) Option {
	return func(s *settings) { s.hosts = append(s.hosts, hosts...) }
}

// WithoutAlerts gives the account a plan without alerts: every operation of the area responds with 403.
func WithoutAlerts() Option { return func(s *settings) { s.alertsGated = true } }

// WithPlan limits the requests to all areas together by a token bucket on the emulator's clock, as the service does.
// There is no limit by default. Every response has the limit in the headers X-Ratelimit-Rpslimit, -Rpsremaining and
// -Rpsreset (observed). A request over the limit is rejected with 429 and a Retry-After, and takes no token. A test of
// a limit of its own has one as WithPlan(Plan{PerSecond: 5, Burst: 5}).
func WithPlan(plan Plan) Option { return func(s *settings) { s.bucket.Plan = plan } }

// WithFaults injects faults from the beginning: see [Emulator.Inject]. [New] and [Start] panic with the error of an
// invalid fault.
func WithFaults(faults ...Fault) Option {
	return func(s *settings) { s.faults = append(s.faults, faults...) }
}

// WithAdminAPI lets programs in any language control the emulator over HTTP, with the administrator's key in X-Api-Key:
//
//	GET    /_emulator/health        {"status": "ok"}, without a key
//	POST   /_emulator/reset         begins anew, as [Emulator.Reset] does: 204
//	POST   /_emulator/faults        injects the fault in the body, a [Fault] in JSON, and responds with its injection
//	GET    /_emulator/faults        lists the injections: {"data": [{"id": 1, "fired": 2, "fault": {…}}]}
//	DELETE /_emulator/faults        ends all: 204
//	GET    /_emulator/calls         lists the calls so far, each a [Call]. ?operation=… selects some, and may be repeated
//	DELETE /_emulator/calls         forgets them: 204
//	POST   /_emulator/endpoints                       creates an endpoint, an [EndpointSpec] in JSON: {"id": "7"}
//	POST   /_emulator/users/{id}/accept               accepts the invitation of a user: 204
//	POST   /_emulator/endpoints/{id}/logs             logs an array of calls, each a [LoggedCall]: {"data": [ids]}
//	POST   /_emulator/notifications/{id}/deliver      delivers the matches of {"block": 7}, as [Emulator.Deliver] does
//	POST   /_emulator/networks/{network}/deliver      delivers the blocks up to it, as [Emulator.DeliverBlocks] does
//
// An invalid request gets a 400, and an unknown id a 404, with {"error": "…"}. No fault and no limit applies to these
// routes, and they are not recorded.
func WithAdminAPI() Option { return func(s *settings) { s.controlled = true } }

// Plan is a plan of the account: the limit of its requests to all areas together.
type Plan struct {
	// Name is the plan of the account's records, and "Scale" by default.
	Name string
	// PerSecond is the number of requests per second in the long run. 0 means unlimited.
	PerSecond int
	// Burst is the number of requests at once after a pause. It is at least PerSecond.
	Burst int
}

// The plans of the service (observed).
var (
	PlanFree       = Plan{"Free", 3, 6}
	PlanBuild      = Plan{"Build", 20, 60}
	PlanAccelerate = Plan{"Accelerate", 40, 120}
	PlanScale      = Plan{"Scale", 60, 120}
	PlanBusiness   = Plan{"Business", 80, 160}
	PlanEnterprise = Plan{"Enterprise", 250, 500}
)

// tokenBucket is the limit of a plan. A fresh one is full, because it was never empty in all the time before.
type tokenBucket struct {
	Plan

	tokens float64
	filled time.Time // The time at which tokens was right.
}

// admit takes a token if there is one, and writes the headers. It reports whether there was one.
func (b *tokenBucket) admit(header http.Header, now time.Time) bool {
	if b.PerSecond <= 0 {
		return true
	}
	most := float64(max(b.Burst, b.PerSecond))
	b.tokens = min(most, b.tokens+float64(b.PerSecond)*max(now.Sub(b.filled), 0).Seconds())
	b.filled = now
	admitted := b.tokens >= 1
	if admitted {
		b.tokens--
	} else {
		header.Set("Retry-After", strconv.FormatInt(int64((b.until(1)+time.Second-1)/time.Second), 10))
	}
	header.Set("X-Ratelimit-Rpslimit", strconv.Itoa(b.PerSecond))
	header.Set("X-Ratelimit-Rpsremaining", strconv.Itoa(min(int(b.tokens), b.PerSecond)))
	header.Set("X-Ratelimit-Rpsreset", strconv.FormatInt(now.Add(b.until(most)+time.Second-1).Unix(), 10))
	return admitted
}

// until returns the time until the bucket has so many tokens, which is at least a nanosecond.
func (b *tokenBucket) until(tokens float64) time.Duration {
	return max(time.Duration((tokens-b.tokens)/float64(b.PerSecond)*float64(time.Second)), 1)
}
