package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// fleet checks what the file declares: all of it before anything is sent, so that a mistake at its end does not leave
// half of it applied.
func (d *decoder) fleet(f *fleet, getenv func(string) string) {
	names := map[string]bool{}
	for i := range f.Endpoints {
		d.endpoint(&f.Endpoints[i], at("endpoints", i), names)
	}
	teams, destinations, notifications := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for i := range f.Teams {
		d.team(&f.Teams[i], at("teams", i), teams, names)
	}
	for i := range f.Destinations {
		d.destination(&f.Destinations[i], at("destinations", i), destinations, getenv)
	}
	for i := range f.Notifications {
		d.notification(&f.Notifications[i], at("notifications", i), notifications, destinations)
	}
}

func at(list string, index int) string { return fmt.Sprintf("%s[%d]", list, index) }

// unique checks a name that identifies something.
func (d *decoder) unique(place, name string, seen map[string]bool) {
	switch {
	case name == "":
		d.wrong(place, "is required")
	case seen[name]:
		d.wrong(place, "%q is there twice", name)
	}
	seen[name] = true
}

// uniqueTexts checks a list of texts, of which none may be empty or come twice, in capital or small letters.
func (d *decoder) uniqueTexts(place string, texts []string) {
	seen := map[string]bool{}
	for i, text := range texts {
		d.unique(at(place, i), strings.ToLower(text), seen)
	}
}

func (d *decoder) required(place, text string) {
	if text == "" {
		d.wrong(place, "is required")
	}
}

func (d *decoder) team(t *team, place string, seen, endpoints map[string]bool) {
	d.unique(place+".name", t.Name, seen)
	if len([]rune(t.Name)) < 4 {
		d.wrong(place+".name", "must have at least 4 characters")
	}
	for i, name := range t.Endpoints {
		if !endpoints[name] {
			d.wrong(at(place+".endpoints", i), "there is no endpoint %q in the file", name)
		}
	}
	d.uniqueExact(place+".endpoints", t.Endpoints)
	emails := map[string]bool{}
	for i, m := range t.Members {
		member := at(place+".members", i)
		d.unique(member+".email", strings.ToLower(m.Email), emails)
		if m.Role != "" && !m.Role.Valid() {
			d.wrong(member+".role", "must be admin, viewer or billing")
		}
	}
}

func (d *decoder) uniqueExact(place string, names []string) {
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			d.wrong(at(place, i), "%q is there twice", name)
		}
	}
}

// destination checks a destination, and takes its URL out of the environment where it comes from there. A variable that
// is not set leaves the URL of a destination that exists as it is.
func (d *decoder) destination(w *destination, place string, seen map[string]bool, getenv func(string) string) {
	d.unique(place+".name", w.Name, seen)
	field := place + ".url"
	if w.URLFrom != "" {
		if w.URL.Reveal() != "" {
			d.wrong(place+".url_from", "excludes url")
		}
		field = place + ".url_from"
		w.URL = scalar.NewSecretURL(getenv(w.URLFrom))
	}
	if w.URLFrom == "" || w.URL.Reveal() != "" {
		address, err := w.URL.URL()
		if err != nil || address.Scheme != "https" && address.Scheme != "http" || address.Hostname() == "" {
			d.wrong(field, "must be an absolute http or https URL")
		}
	}
	if !w.Method.Valid() {
		d.wrong(place+".method", "must be POST or GET")
	}
	if !w.PayloadType.Valid() {
		d.wrong(place+".payload_type", "must be from 1 to 7")
	}
}

func (d *decoder) notification(n *notification, place string, seen, destinations map[string]bool) {
	d.unique(place+".name", n.Name, seen)
	d.required(place+".network", string(n.Network))
	// A YAML block ends with a line end, which is no part of the expression.
	n.Expression = alerts.Expression(strings.TrimSpace(string(n.Expression)))
	d.required(place+".expression", string(n.Expression))
	for i, name := range n.Destinations {
		if !destinations[name] {
			d.wrong(at(place+".destinations", i), "there is no destination %q in the file", name)
		}
	}
	d.uniqueExact(place+".destinations", n.Destinations)
}

// load reads the file at a path.
func load(path string) (*fleet, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	f, err := read(content, os.Getenv)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return f, nil
}
