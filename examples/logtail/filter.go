package main

import (
	"errors"
	"path"
	"regexp"
	"slices"
	"strconv"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/examples/internal/cli"
)

var errEmptyItem = errors.New("an item is empty")

// filter says which entries are shown: those that all its parts let through. A part that is empty lets all through.
type filter struct {
	methods, statuses, networks []string
	errors                      bool
}

var statusForm = regexp.MustCompile(`^[1-5](\d\d|xx)$`)

func (f *filter) check() error {
	for _, pattern := range f.methods {
		if _, err := path.Match(pattern, ""); err != nil {
			return cli.Usagef("-methods: %q is no pattern", pattern)
		}
	}
	for _, status := range f.statuses {
		if !statusForm.MatchString(status) {
			return cli.Usagef("-status: %q is neither a status such as 429 nor a class such as 5xx", status)
		}
	}
	return nil
}

// passes reports whether an entry is to be shown.
func (f *filter) passes(entry *admin.LogEntry) bool {
	if f.errors && entry.Status < 400 && entry.ErrorCode == nil {
		return false
	}
	status := strconv.Itoa(entry.Status)
	return passes(f.networks, func(network string) bool { return network == entry.Network }) &&
		passes(f.statuses, func(want string) bool { return want == status || want == status[:1]+"xx" }) &&
		passes(f.methods, func(pattern string) bool {
			matches, _ := path.Match(pattern, entry.Method) // It was checked.
			return matches
		})
}

func passes(list []string, matches func(string) bool) bool {
	return len(list) == 0 || slices.ContainsFunc(list, matches)
}
