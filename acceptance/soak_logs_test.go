package acceptance

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// soakLogs are endpoints whose logs grow, and what is in them since the beginning of the run.
type soakLogs struct {
	endpoints []string
	begin     time.Time

	mu sync.Mutex
	// entries has the request ids that were logged, as 1 each.
	entries map[string]int
}

// logPlayer logs calls, some of them late.
type logPlayer struct {
	*soaker
	logs *soakLogs
}

// late is how late a call is logged at most.
const late = time.Second

func (p *logPlayer) play() {
	endpoint := p.logs.endpoints[p.IntN(len(p.logs.endpoints))]
	var calls []emulator.LoggedCall
	for range 1 + p.IntN(3) {
		at := time.Now().Add(-time.Duration(p.IntN(int(late))))
		if at.Before(p.logs.begin) {
			at = p.logs.begin
		}
		calls = append(calls, emulator.LoggedCall{Method: "getblock", Timestamp: at})
	}
	ids, err := p.service.AppendLog(endpoint, calls...)
	p.must("logging calls", err)
	p.logs.mu.Lock()
	defer p.logs.mu.Unlock()
	for _, id := range ids {
		p.logs.entries[endpoint+" "+id] = 1
	}
	time.Sleep(50 * time.Millisecond)
}

func (p *logPlayer) verify(*soakState) {}

// followPlayer follows the logs, and is interrupted again and again.
type followPlayer struct {
	*soaker
	logs *soakLogs
	from rpcfleet.Checkpoint
	// entries counts how often each entry came.
	entries map[string]int
}

// play follows the logs for a while, and ends in one of the ways in which programs end.
func (p *followPlayer) play() {
	ctx, cancel := context.WithTimeout(p.t.Context(), time.Duration(100+p.IntN(1000))*time.Millisecond)
	defer cancel()
	p.follow(ctx, p.IntN(100))
	if p.IntN(2) == 0 {
		text, err := p.from.MarshalText()
		p.must("writing a checkpoint", err)
		p.from = rpcfleet.Checkpoint{}
		p.must("reading a checkpoint", p.from.UnmarshalText(text))
	}
}

// follow reads some entries, at most as many as it is told, from where it has ended before.
func (p *followPlayer) follow(ctx context.Context, most int) {
	options := rpcfleet.FollowOptions{
		From: p.logs.begin.Add(-time.Minute), Checkpoint: p.from, MinInterval: 5 * time.Millisecond,
		MaxInterval: 50 * time.Millisecond, LateWindow: 10 * late, PageLimit: 25,
	}
	for followed, err := range p.client.Logs.Follow(ctx, p.logs.endpoints, options) {
		if err != nil {
			var failure *rpcfleet.FollowError
			if errors.As(err, &failure) {
				p.from = failure.Checkpoint
			} else {
				p.must("following", err)
			}
			if ctx.Err() == nil {
				p.came("following", err)
				p.tally.note("followings that a fault has ended, resumed")
			}
			return
		}
		p.entries[followed.EndpointID+" "+followed.Entry.RequestID]++
		p.from = followed.Checkpoint()
		if most--; most < 0 {
			return
		}
	}
}

// verify follows the logs to their end: every entry has come once.
func (p *followPlayer) verify(*soakState) {
	ctx, cancel := context.WithTimeout(p.t.Context(), 20*time.Second)
	defer cancel()
	for len(p.entries) < len(p.logs.entries) && ctx.Err() == nil {
		p.follow(ctx, len(p.logs.entries)-len(p.entries)-1)
	}
	p.tally.note("logs followed to their end")
	p.tally.sameKeys(p.name+": entries that were followed", p.logs.entries, p.entries)
}
