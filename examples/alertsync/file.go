package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// file is what the YAML file says.
type file struct {
	Destinations  []destination  `yaml:"destinations"`
	Notifications []notification `yaml:"notifications"`
}

// destination is a webhook. Its URL may carry a secret, and is never printed.
type destination struct {
	Name        string             `yaml:"name"`
	URL         scalar.SecretURL   `yaml:"url"`
	Method      alerts.WebhookType `yaml:"method"`
	PayloadType alerts.PayloadType `yaml:"payload_type"`
}

type notification struct {
	Name       string              `yaml:"name"`
	Network    alerts.AlertNetwork `yaml:"network"`
	Expression alerts.Expression   `yaml:"expression"`
	// Destinations are names of destinations in the file.
	Destinations []string `yaml:"destinations"`
	// Enabled is true unless the file says otherwise.
	Enabled  *bool    `yaml:"enabled"`
	Backtest backtest `yaml:"backtest"`
}

// backtest says which blocks the expression is tried on: this one and those before it.
type backtest struct {
	Block  int64 `yaml:"block"`
	Blocks int   `yaml:"blocks"`
}

func (n *notification) enabled() bool { return n.Enabled == nil || *n.Enabled }

// read reads a file. A key that it does not know is an error: it is likely a misspelled one.
func read(content []byte) (*file, error) {
	decoder := yaml.NewDecoder(bytes.NewReader(content))
	decoder.KnownFields(true)
	var f file
	if err := decoder.Decode(&f); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if err := decoder.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return nil, errors.New("the file must be one YAML document")
	}
	for i := range f.Notifications {
		// A YAML block ends with a line end, which is no part of the expression.
		f.Notifications[i].Expression = alerts.Expression(strings.TrimSpace(string(f.Notifications[i].Expression)))
	}
	return &f, f.check()
}

// check checks the names: they are there, they are unique, and destinations are in the file. Expressions and networks
// are checked when they are tried.
func (f *file) check() error {
	var destinations, notifications []string
	for i, d := range f.Destinations {
		if err := checkName("destination", i, d.Name, destinations); err != nil {
			return err
		}
		destinations = append(destinations, d.Name)
		// The client checks these as well, but only when some of the changes have been made.
		address, err := d.URL.URL()
		switch {
		case err != nil || address.Scheme != "https" && address.Scheme != "http" || address.Hostname() == "":
			return fmt.Errorf("destination %q: url must be an absolute http or https URL", d.Name)
		case !d.Method.Valid():
			return fmt.Errorf("destination %q: method must be POST or GET", d.Name)
		case !d.PayloadType.Valid():
			return fmt.Errorf("destination %q: payload_type must be from 1 to 7", d.Name)
		}
	}
	for i, n := range f.Notifications {
		if err := checkName("notification", i, n.Name, notifications); err != nil {
			return err
		}
		notifications = append(notifications, n.Name)
		if len(n.Destinations) == 0 {
			return fmt.Errorf("notification %q has no destinations", n.Name)
		}
		for j, name := range n.Destinations {
			if !slices.Contains(destinations, name) {
				return fmt.Errorf("notification %q: there is no destination %q in the file", n.Name, name)
			}
			if slices.Contains(n.Destinations[:j], name) {
				return fmt.Errorf("notification %q has destination %q twice", n.Name, name)
			}
		}
	}
	return nil
}

func checkName(kind string, index int, name string, before []string) error {
	if name == "" {
		return fmt.Errorf("%s %d has no name", kind, index+1)
	}
	if slices.Contains(before, name) {
		return fmt.Errorf("%s %q is there twice: names are the keys", kind, name)
	}
	return nil
}
