package emulator

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/rpcfleet/rpcfleet-go/emulator/fleet"
)

// tallyKey is what tallies keep apart.
type tallyKey struct {
	day             time.Time
	method, network string
	archive         bool
	status          int
	// errorCode is empty for none.
	errorCode string
}

// Sums of the largest tallies stay far within an int64.
const (
	mostTallied      = 1_000_000_000_000
	mostTalliedBytes = 1_000_000_000_000_000
)

// AddUsage counts calls of an endpoint without an entry in its log for each. It counts all of them, or none where one
// is not acceptable: the error is then a [*fleet.Error].
func (e *Emulator) AddUsage(endpointID string, usage ...fleet.Usage) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	endpoint, err := e.state.endpoint(endpointID)
	if err != nil {
		return fmt.Errorf("emulator: %w", err)
	}
	tallies, err := e.state.newTallies(endpoint, usage)
	if err != nil {
		return fmt.Errorf("emulator: %w", err)
	}
	e.state.traffic.of(endpoint).count(tallies)
	return nil
}

func (s *state) newTallies(endpoint *endpoint, usage []fleet.Usage) ([]*call, error) {
	tallies := make([]*call, 0, len(usage))
	for i, u := range usage {
		tally, err := s.newTally(endpoint, u)
		if err != nil {
			return nil, fleet.Item("usage", i, err)
		}
		tallies = append(tallies, tally)
	}
	return tallies, nil
}

// newTally fills in what is left out.
func (s *state) newTally(endpoint *endpoint, u fleet.Usage) (*call, error) {
	day, err := s.dayOf(u)
	if err != nil {
		return nil, err
	}
	chain, network := endpoint.chain, endpoint.network
	known := true
	if u.Network != "" {
		chain, network, known = networkBySlug(u.Network)
	}
	switch {
	case u.Method == "":
		return nil, fleet.At("method", errors.New("a method is required"))
	case u.Requests < 1 || u.Requests > mostTallied:
		return nil, fleet.At("requests", fmt.Errorf("must be from 1 to %d", int64(mostTallied)))
	case u.Bytes < 0 || u.Bytes > mostTalliedBytes:
		return nil, fleet.At("bytes", fmt.Errorf("must be from 0 to %d", int64(mostTalliedBytes)))
	case !known:
		return nil, fleet.At("network", errors.New("must be in the catalogue"))
	case u.Status != 0 && (u.Status < 100 || u.Status > 599):
		return nil, fleet.At("status", errors.New("must be an HTTP status, from 100 to 599"))
	case u.Status == 0:
		u.Status = 200
	}
	return &call{
		LoggedCall: LoggedCall{
			Timestamp: day, Method: u.Method, Network: network.slug, Status: u.Status, ErrorCode: u.ErrorCode,
			Archive: u.Archive,
		},
		chain: chain,
		used:  used{chain.creditsOf(u.Method) * u.Requests, u.Requests, u.Bytes},
		tally: true,
	}, nil
}

// dayOf is the first moment of the day of a usage.
func (s *state) dayOf(u fleet.Usage) (time.Time, error) {
	today := s.now().Truncate(24 * time.Hour)
	if u.Day == "" {
		const oldest = 10 * 366
		if u.DaysAgo < 0 || u.DaysAgo > oldest {
			return time.Time{}, fleet.At("days_ago", fmt.Errorf("must be from 0 to %d", oldest))
		}
		return today.AddDate(0, 0, -u.DaysAgo), nil
	}
	day, err := time.Parse(time.DateOnly, u.Day)
	switch {
	case u.DaysAgo != 0:
		return time.Time{}, fleet.At("days_ago", errors.New("day and days_ago exclude each other"))
	case err != nil || day.Year() < 1970 || day.Year() > 5000:
		return time.Time{}, fleet.At("day", errors.New("must be a date such as 2026-03-09, of the years 1970 to 5000"))
	}
	return day, nil
}

func (c *call) tallyKey() tallyKey {
	code := ""
	if c.ErrorCode != nil {
		code = strconv.Itoa(*c.ErrorCode)
	}
	return tallyKey{c.Timestamp, c.Method, c.Network, c.Archive, c.Status, code}
}

// count adds tallies to the log. Those that are alike become one.
func (l *callLog) count(tallies []*call) {
	for _, tally := range tallies {
		l.credits += tally.credits
		if known := l.byTally[tally.tallyKey()]; known != nil {
			known.add(tally)
			continue
		}
		l.byTally[tally.tallyKey()] = tally
		l.tallies = append(l.tallies, tally)
	}
	slices.SortStableFunc(l.tallies, func(a, b *call) int { return a.Timestamp.Compare(b.Timestamp) })
}
