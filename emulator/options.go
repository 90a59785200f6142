package emulator

import (
	"net/url"
	"strings"
	"time"
)

// Option configures an emulator.
type Option func(*settings)

type settings struct {
	seed                uint64
	clock               func() time.Time
	apiKey, viewerKey   string
	pageCap, logPageCap int
	alertsPath          string
	graphPath           string
	publicURL           string   // Empty for the address that a request is sent to.
	hosts               []string // Those that requests may name beside the emulator's own.
	maxUsers            int
	tokenLifetime       time.Duration
	includedCredits     int64
	tagsGated           bool // The plan does not include the list of tags.
	alertsGated         bool // The plan does not include alerts.
	alertsUnpaged       bool // The lists of the alerts area have no pages.
	alertsWrapped       bool // The lists of the alerts area are in an object.
	observers           []func(Exchange)
	faults              []Fault
	keptCalls           int
	controlled, paged   bool
	limits              [3]tokenBucket // Those of WithRequestLimits and of WithRateLimit. A rate of 0 is no limit.
}

func defaultSettings() settings {
	return settings{
		seed: 1, clock: time.Now, apiKey: "emulator-admin-key", viewerKey: "emulator-viewer-key", pageCap: 250,
		logPageCap: defaultLogPage, alertsPath: "/alerts/rest/v1", graphPath: "/graphql", maxUsers: 10,
		tokenLifetime: 15 * time.Minute, includedCredits: 450_000_000, keptCalls: 10_000,
	}
}

// WithSeed sets the seed of ids, tokens and made-up data. Two emulators with the same seed and clock give the same
// responses to the same requests with the same bytes.
func WithSeed(seed uint64) Option { return func(s *settings) { s.seed = seed } }

// WithClock sets the clock. It is called concurrently.
func WithClock(clock func() time.Time) Option { return func(s *settings) { s.clock = clock } }

// WithAPIKey sets the administrator's key.
func WithAPIKey(key string) Option { return func(s *settings) { s.apiKey = key } }

// WithViewerKey sets a second key, for a caller without administrator's rights.
func WithViewerKey(key string) Option { return func(s *settings) { s.viewerKey = key } }

// WithMaxPageSize sets the largest page of a listing. A larger limit is lowered without an error, as the service does.
func WithMaxPageSize(items int) Option { return func(s *settings) { s.pageCap = max(items, 1) } }

// WithLogPageCap sets the largest page of a log, 100 by default. A larger limit is lowered without an error.
func WithLogPageCap(entries int) Option {
	return func(s *settings) { s.logPageCap = max(entries, 1) }
}

// WithoutTagList gives the account a plan without the list of tags: the operation responds with 403.
func WithoutTagList() Option { return func(s *settings) { s.tagsGated = true } }

// WithMaxUsers sets the largest number of users of the account, the primary user included. It is 10 by default.
func WithMaxUsers(users int) Option { return func(s *settings) { s.maxUsers = max(users, 1) } }

// WithIncludedCredits sets the credits that the account's plan includes in a billing period. Any use beyond them is
// overage.
func WithIncludedCredits(credits int64) Option {
	return func(s *settings) { s.includedCredits = max(credits, 0) }
}

// WithTokenLifetime sets the lifetime of a session token for the tooling endpoint, in whole seconds and at least one.
// It is 15 minutes by default.
func WithTokenLifetime(lifetime time.Duration) Option {
	return func(s *settings) { s.tokenLifetime = max(lifetime.Truncate(time.Second), time.Second) }
}

// WithPublicURL sets the address at which callers reach the emulator, such as "https://rpc.example.com". The address of
// the tooling endpoint begins with it. The default is the address that a request was sent to, which is right unless a
// proxy changes it.
func WithPublicURL(address string) Option {
	return func(s *settings) {
		s.publicURL = strings.TrimRight(address, "/")
		if public, err := url.Parse(address); err == nil {
			s.hosts = append(s.hosts, public.Hostname())
		}
	}
}

// WithHosts lets requests reach the emulator under these names and IP addresses as well. A request over a network is
// otherwise rejected with 421, unless its Host is the address that it was sent to, a loopback address, localhost, or the
// host of [WithPublicURL]. Else a page in a browser could reach the emulator under a name of its own that leads here
// (DNS rebinding), and the default keys are public. Ports do not matter, and are left out here.
func WithHosts(hosts ...string) Option {
	return func(s *settings) { s.hosts = append(s.hosts, hosts...) }
}

// WithAlertsPath sets the prefix of the alerts area.
func WithAlertsPath(path string) Option {
	return func(s *settings) { s.alertsPath = "/" + strings.Trim(path, "/") }
}

// WithGraphPath sets the path of the graph area.
func WithGraphPath(path string) Option {
	return func(s *settings) { s.graphPath = "/" + strings.Trim(path, "/") }
}

// WithoutAlerts gives the account a plan without alerts: every operation of the area responds with 403.
func WithoutAlerts() Option { return func(s *settings) { s.alertsGated = true } }

// WithoutAlertsPaging turns off the pages of lists in the alerts area: limit and offset are ignored. The service has
// been described both ways.
func WithoutAlertsPaging() Option { return func(s *settings) { s.alertsUnpaged = true } }

// WithWrappedAlertsLists makes the lists of the alerts area {"data": [...]} instead of an array. The service has been
// described both ways.
func WithWrappedAlertsLists() Option { return func(s *settings) { s.alertsWrapped = true } }

// WithRequestLimits limits the requests to all areas together, by a token bucket for each second and one for each
// minute of the emulator's clock: a limit is also the burst, and the bucket is full again after a second or a minute.
// 0 means unlimited, and the default. Every response has the limits in the headers X-Ratelimit-Rpslimit, -Rpsremaining
// and -Rpsreset, and the same with "rpm" (observed). A request over a limit is rejected with 429 and a Retry-After, and
// takes no token.
func WithRequestLimits(perSecond, perMinute int) Option {
	return func(s *settings) {
		s.limits[0] = tokenBucket{name: "Rps", rate: max(float64(perSecond), 0), burst: perSecond}
		s.limits[1] = tokenBucket{name: "Rpm", rate: max(float64(perMinute), 0) / 60, burst: perMinute}
	}
}

// WithRateLimit is such a token bucket of any rate and burst, without headers: the rate is in requests per second, and a
// burst is at least 1. A rate of 0 means unlimited, which is the default.
func WithRateLimit(perSecond float64, burst int) Option {
	return func(s *settings) { s.limits[2] = tokenBucket{rate: max(perSecond, 0), burst: max(burst, 1)} }
}

// WithCallHook calls a function for every exchange before its response is sent. A test can assert what its program
// sent. The function is called concurrently, and must not change the exchange.
func WithCallHook(observe func(Exchange)) Option {
	return func(s *settings) { s.observers = append(s.observers, observe) }
}

// WithFaults injects faults from the beginning: see [Emulator.Inject]. [New] and [Start] panic with the [FaultError] of
// an invalid fault.
func WithFaults(faults ...Fault) Option {
	return func(s *settings) { s.faults = append(s.faults, faults...) }
}

// WithCallHistory sets the largest number of calls in [Emulator.Calls]: the latest ones. The default is 10,000, and
// fewer if their bodies have more than 32 MiB together. 0 keeps none.
func WithCallHistory(calls int) Option { return func(s *settings) { s.keptCalls = max(calls, 0) } }

// WithStatusPage adds a page for people at GET /. It shows the account and the latest calls as plain HTML, needs no
// key, and shows no secret.
func WithStatusPage() Option { return func(s *settings) { s.paged = true } }

// WithAdminAPI lets programs in any language control the emulator over HTTP, with the administrator's key in X-Api-Key:
//
//	GET    /_emulator/health        {"status": "ok"}, without a key
//	POST   /_emulator/reset         begins anew, as [Emulator.Reset] does: 204. A body is a fleet in JSON to begin with
//	POST   /_emulator/faults        injects the fault in the body, a [Fault] in JSON: 201 with its injection
//	GET    /_emulator/faults        lists the injections: {"data": [{"id": 1, "fired": 2, "fault": {…}}]}
//	GET    /_emulator/faults/{id}   shows one of them
//	DELETE /_emulator/faults/{id}   ends one: 204
//	DELETE /_emulator/faults        ends all: 204
//	GET    /_emulator/calls         lists the calls so far, each a [Call]. ?operation=… selects some, and may be repeated
//	DELETE /_emulator/calls         forgets them: 204
//	POST   /_emulator/endpoints/{id}/logs             logs an array of calls, each a [LoggedCall]: 201 with their ids
//	POST   /_emulator/notifications/{id}/deliver      delivers the matches of {"block": 7}, as [Emulator.Deliver] does
//
// An invalid request gets a 400, and an unknown id a 404, with {"error": "…"}. No fault and no limit applies to these
// routes, and they are neither recorded nor observed.
func WithAdminAPI() Option { return func(s *settings) { s.controlled = true } }
