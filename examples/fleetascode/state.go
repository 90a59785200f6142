package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
)

// state is what an apply must remember over its own death, because the service does not tell it: which endpoints it was
// about to create, and which endpoints it has assigned to teams. It holds no secrets. Where the file is lost, at worst an
// endpoint stays behind without a label, and teams are assigned their endpoints once more.
type state struct {
	path string // Empty keeps nothing.
	mu   sync.Mutex

	// Account is the id of the account.
	Account int64 `json:"account"`
	// Creating is there while endpoints are being created.
	Creating *creating `json:"creating,omitempty"`
	// Teams are the ids of the endpoints that teams were assigned, by the id of the team.
	Teams map[string][]string `json:"teams,omitempty"`
}

// creating is written before the first endpoint is created.
type creating struct {
	// Before are the ids of all endpoints that were there.
	Before []string `json:"before"`
	// Pending are the endpoints that have no label yet, as far as they exist.
	Pending []pending `json:"pending"`
}

type pending struct {
	Label   string `json:"label"`
	Chain   string `json:"chain"`
	Network string `json:"network"`
}

// openState reads the state at a path. There is none yet before the first apply.
func openState(path string) (*state, error) {
	s := &state{path: path}
	if path == "" {
		return s, nil
	}
	content, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return s, nil
	case err != nil:
		return nil, err
	}
	if err := json.Unmarshal(content, s); err != nil {
		return nil, fmt.Errorf("%s is no state of an apply: %w", path, err)
	}
	return s, nil
}

// of makes sure that the state belongs to an account.
func (s *state) of(account int64) error {
	if s.Account != 0 && s.Account != account {
		return fmt.Errorf("%s belongs to account %d, and this is account %d", s.path, s.Account, account)
	}
	s.Account = account
	return nil
}

func (s *state) pending() []pending {
	if s.Creating == nil {
		return nil
	}
	return s.Creating.Pending
}

// begin says that endpoints are about to be created.
func (s *state) begin(before []string, these []pending) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Creating = &creating{before, these}
	return s.save()
}

// labelled says that an endpoint has its label. That is not saved each time: the account shows it as well.
func (s *state) labelled(label string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.drop(func(p pending) bool { return p.Label == label })
}

// end says that nothing is being created any more. What stays is what was begun and has no label.
func (s *state) end(begun func(label string) bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.drop(func(p pending) bool { return !begun(p.Label) })
	if s.Creating != nil && len(s.Creating.Pending) == 0 {
		s.Creating = nil
	}
	return s.save()
}

func (s *state) drop(which func(pending) bool) {
	if s.Creating != nil {
		s.Creating.Pending = slices.DeleteFunc(s.Creating.Pending, which)
	}
}

// assigned says which endpoints a team has been assigned.
func (s *state) assigned(team string, endpoints []string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.Teams == nil {
		s.Teams = map[string][]string{}
	}
	s.Teams[team] = endpoints
	return s.save()
}

// save puts the state into the place of what the file had, whole or not at all, also where the machine stops meanwhile.
func (s *state) save() error {
	if s.path == "" {
		return nil
	}
	content, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	file, err := os.CreateTemp(filepath.Dir(s.path), ".fleetascode-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(file.Name()) }() // Where it has been renamed, there is nothing to remove.
	_, err = file.Write(append(content, '\n'))
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return err
	}
	return os.Rename(file.Name(), s.path)
}
