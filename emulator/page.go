package emulator

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/page"
)

// pagePath is where the page is. No operation of the service is there.
const pagePath = "/"

// WithPage adds a page for people at GET /: what the account has, and the latest calls, as plain HTML. It needs no key
// and shows no secret.
func WithPage() Option {
	return func(s *settings) { s.paged = true }
}

// servePage responds with the page. It is no call: it meets no faults and no limits.
func (e *Emulator) servePage(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		header.Set("Allow", "GET, HEAD")
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Content-Security-Policy", page.Policy)
	header.Set("Cache-Control", "no-store")
	header.Set("X-Content-Type-Options", "nosniff")
	e.mu.Lock()
	shown := e.page()
	e.mu.Unlock()
	_ = page.Write(w, shown) // Who has gone away needs no page.
}

// page gathers what the page shows.
func (e *Emulator) page() page.Account {
	s := e.state
	live := s.live()
	calls := e.calls.all()
	slices.Reverse(calls) // The newest first.
	mask := e.secrets()
	shown := page.Account{
		Name: s.account.name, Plan: s.account.plan, Now: s.now(), Tooling: s.tooling.enabledAt != nil,
		Endpoints: page.Of(live, s.endpointRow),
		Tags:      page.Of(s.tags.all, func(t *tag) page.Tag { return page.Tag{ID: t.id, Label: t.label, Used: s.usageOf(t)} }),
		Teams: page.Of(s.teams.all, func(t *team) page.Team {
			return page.Team{ID: t.id, Name: t.name, Members: emails(t.members), Endpoints: len(t.endpoints)}
		}),
		Destinations: page.Of(s.alerts.destinations, func(d *destination) page.Destination {
			return page.Destination{ID: d.id, Name: d.name, Method: string(d.method), Address: hostOf(d.url)}
		}),
		Notifications: page.Of(s.alerts.notifications, notificationRow),
		Calls: page.Of(calls, func(c keptCall) page.Call {
			address := url.URL{Path: c.Path, RawQuery: c.Query.Encode()}
			return page.Call{At: c.Time.UTC(), Method: c.Method, URL: mask.Replace(address.String()), Status: c.Status}
		}),
	}
	var requests, credits int64
	for _, e := range s.order {
		sum := s.traffic.of(e).sum()
		requests, credits = requests+sum.requests, credits+sum.credits
	}
	shown.Counts = []page.Count{
		{Name: "Endpoints", Number: int64(len(live))}, {Name: "Archived", Number: int64(len(s.order) - len(live))},
		{Name: "Tags", Number: int64(len(s.tags.all))}, {Name: "Users", Number: int64(len(s.teams.users))},
		{Name: "Teams", Number: int64(len(s.teams.all))}, {Name: "Destinations", Number: int64(len(s.alerts.destinations))},
		{Name: "Notifications", Number: int64(len(s.alerts.notifications))}, {Name: "RPC requests", Number: requests},
		{Name: "Credits used", Number: credits}, {Name: "Calls recorded", Number: int64(len(calls))},
	}
	return shown
}

func (s *state) endpointRow(e *endpoint) page.Endpoint {
	sum := s.traffic.of(e).sum()
	row := page.Endpoint{
		ID: e.id, Chain: e.chain.slug, Network: e.network.slug, Status: string(e.status),
		Address: fmt.Sprintf("https://%s.%s.%s/***/", e.name, e.network.slug, host),
		Tokens:  len(e.security.tokens), Requests: sum.requests, Credits: sum.credits,
	}
	if e.label != nil {
		row.Label = *e.label
	}
	for _, t := range e.tags {
		row.Tags = append(row.Tags, t.label)
	}
	return row
}

func notificationRow(n *notification) page.Notification {
	row := page.Notification{
		ID: n.id, Name: n.name, Network: string(n.network), Expression: string(n.text), Enabled: n.enabled,
		Events: len(n.events),
	}
	for _, d := range n.destinations {
		row.Destinations = append(row.Destinations, d.name)
	}
	return row
}

func emails(users []*user) []string {
	var list []string
	for _, u := range users {
		list = append(list, u.email)
	}
	return list
}

// hostOf is an address without what may be a secret in it.
func hostOf(address string) string {
	parsed, err := url.Parse(address)
	if err != nil {
		return "***"
	}
	return parsed.Scheme + "://" + parsed.Host + "/***"
}

// secrets replaces every secret of the emulator. A caller may have put one where it does not belong.
func (e *Emulator) secrets() *strings.Replacer {
	var pairs []string
	add := func(secret string) {
		if secret != "" {
			pairs = append(pairs, secret, "***")
		}
	}
	add(e.settings.apiKey)
	add(e.settings.viewerKey)
	for _, endpoint := range e.state.order {
		add(endpoint.token)
		for _, token := range endpoint.security.tokens {
			add(token.value)
		}
	}
	for _, d := range e.state.alerts.destinations {
		add(d.token)
	}
	return strings.NewReplacer(pairs...)
}
