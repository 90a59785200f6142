// Package page shows the state of an emulator to people, as plain HTML.
package page

import (
	_ "embed" // For the template.
	"html/template"
	"io"
	"time"
)

// Account is what the page shows. Secrets are not in it.
type Account struct {
	Name, Plan string
	Now        time.Time
	Tooling    bool

	Counts        []Count
	Endpoints     List[Endpoint]
	Tags          List[Tag]
	Teams         List[Team]
	Destinations  List[Destination]
	Notifications List[Notification]
	Calls         List[Call]
}

// Count is a number of things.
type Count struct {
	Name   string
	Number int64
}

// List is the first of some things, and how many more there are.
type List[T any] struct {
	Shown []T
	More  int
}

// most is how many things of a list are shown.
const most = 200

// Of makes a list of the first things. Only those are turned into what the page shows.
func Of[S, T any](things []S, show func(S) T) List[T] {
	shown := make([]T, 0, min(len(things), most))
	for _, thing := range things[:min(len(things), most)] {
		shown = append(shown, show(thing))
	}
	return List[T]{shown, len(things) - len(shown)}
}

// The rows of the page.
type (
	// Endpoint is an endpoint. Its address has no token.
	Endpoint struct {
		ID, Label, Chain, Network, Status, Address string
		Tags                                       []string
		Tokens                                     int
		Requests, Credits                          int64
	}
	// Tag is a tag with the number of its endpoints.
	Tag struct {
		ID    int64
		Label string
		Used  int64
	}
	// Team is a team.
	Team struct {
		ID        int64
		Name      string
		Members   []string
		Endpoints int
	}
	// Destination is a webhook. Its address has no path, which may hold a secret.
	Destination struct{ ID, Name, Method, Address string }
	// Notification is a notification.
	Notification struct {
		ID, Name, Network, Expression string
		Enabled                       bool
		Destinations                  []string
		Events                        int
	}
	// Call is a request that the emulator has carried out.
	Call struct {
		At          time.Time
		Method, URL string
		Status      int
	}
)

//go:embed page.html
var text string

var layout = template.Must(template.New("page").Parse(text))

// Write writes the page.
func Write(to io.Writer, account Account) error { return layout.Execute(to, account) }

// Policy is the Content-Security-Policy of the page: its own style, and nothing else.
const Policy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
