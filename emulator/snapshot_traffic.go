package emulator

import (
	"errors"
	"slices"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/snapshot"
)

// texts keeps one copy of each text, since many calls of a log have the same.
type texts map[string]string

func (t texts) one(text string) string {
	known, there := t[text]
	if !there {
		t[text], known = text, text
	}
	return known
}

// restoreTraffic brings back what went through an endpoint.
func (s *state) restoreTraffic(of *endpoint, saved snapshot.Endpoint, texts texts) error {
	log := s.traffic.of(of)
	for _, c := range saved.Calls {
		restored, err := callFrom(c, texts)
		switch {
		case err != nil:
			return err
		case !isTimeUUID(c.RequestID) || log.byID[c.RequestID] != nil:
			return errors.New("a call has the request id of another, or none")
		}
		restored.used = used{restored.chain.creditsOf(c.Method), 1, int64(len(c.Request) + len(c.Response))}
		log.calls, log.byID[c.RequestID] = append(log.calls, restored), restored
		log.credits += restored.credits
	}
	slices.SortFunc(log.calls, func(a, b *call) int { return a.compare(position{b.Timestamp, b.RequestID}) })
	var tallies []*call
	for _, c := range saved.Tallies {
		restored, err := callFrom(c, texts)
		if err != nil {
			return err
		}
		restored.used = used{restored.chain.creditsOf(c.Method) * c.Requests, c.Requests, c.Bytes}
		restored.tally = true
		tallies = append(tallies, restored)
	}
	log.count(tallies)
	return nil
}

func callFrom(saved snapshot.Call, texts texts) (*call, error) {
	chain, network, known := networkBySlug(saved.Network)
	if !known {
		return nil, errors.New("a call is of a network that is not in the catalogue")
	}
	return &call{chain: chain, LoggedCall: LoggedCall{
		Timestamp: saved.Timestamp, RequestID: saved.RequestID, Method: texts.one(saved.Method), Network: network.slug,
		HTTPMethod: texts.one(saved.HTTPMethod), Status: saved.Status, ErrorCode: saved.ErrorCode,
		URL: texts.one(saved.URL), Request: texts.one(saved.Request), Response: texts.one(saved.Response),
		ResponseTime: saved.ResponseTime, Archive: saved.Archive,
	}}, nil
}
