package emulator

import (
	"strings"
	"time"
)

// Option configures an emulator.
type Option func(*settings)

type settings struct {
	seed       uint64
	clock      func() time.Time
	apiKey     string
	viewerKey  string
	pageCap    int
	alertsPath string
	graphPath  string
	// publicURL is empty where addresses are to start with what a request was sent to.
	publicURL       string
	logPageCap      int
	maxUsers        int
	tokenLifetime   time.Duration
	includedCredits int64
	// tagsGated is true where the plan of the account does not include the list of tags.
	tagsGated bool
	// alertsGated is true where the plan of the account does not include alerts.
	alertsGated bool
	// alertsUnpaged and alertsWrapped say how the lists of the alerts area come.
	alertsUnpaged, alertsWrapped bool
	observers                    []func(Exchange)
	faults                       []Fault
	keptCalls                    int
	// controlled is true where faults and calls can be reached over HTTP.
	controlled bool
	// perSecond and perMinute are the request limits of the service itself, 0 for none.
	perSecond, perMinute int
	// paged is true where there is a page.
	paged bool
	// hosts are those that requests may name beside the emulator's own.
	hosts []string
}

func defaultSettings() settings {
	return settings{
		seed:            1,
		clock:           time.Now,
		apiKey:          "emulator-admin-key",
		viewerKey:       "emulator-viewer-key",
		pageCap:         250,
		alertsPath:      "/alerts/rest/v1",
		graphPath:       "/graphql",
		logPageCap:      defaultLogPageCap,
		maxUsers:        defaultMaxUsers,
		tokenLifetime:   defaultTokenLifetime,
		includedCredits: defaultIncludedCredits,
		keptCalls:       defaultKeptCalls,
	}
}

// WithSeed sets the seed of ids, tokens and made-up data. Two emulators with the same seed and clock give the same
// responses to the same requests with the same bytes.
func WithSeed(seed uint64) Option { return func(s *settings) { s.seed = seed } }

// WithClock sets where the emulator takes the time from. It is called concurrently.
func WithClock(clock func() time.Time) Option { return func(s *settings) { s.clock = clock } }

// WithAPIKey sets the administrator's key.
func WithAPIKey(key string) Option { return func(s *settings) { s.apiKey = key } }

// WithViewerKey sets a second key, of a caller without administrator's rights.
func WithViewerKey(key string) Option { return func(s *settings) { s.viewerKey = key } }

// WithPageCap sets the largest page of a listing. A larger limit is lowered silently, as the service does.
func WithPageCap(items int) Option { return func(s *settings) { s.pageCap = max(items, 1) } }

// WithoutTagList gives the account a plan that does not include the list of its tags: asking for it responds with 403.
func WithoutTagList() Option { return func(s *settings) { s.tagsGated = true } }

// WithAlertsPath sets the prefix of the alerts area.
func WithAlertsPath(path string) Option {
	return func(s *settings) { s.alertsPath = "/" + strings.Trim(path, "/") }
}

// WithGraphPath sets the path of the graph area.
func WithGraphPath(path string) Option {
	return func(s *settings) { s.graphPath = "/" + strings.Trim(path, "/") }
}
