package rpcfleet

import (
	"crypto/sha256"
	"encoding/binary"
	"time"

	"github.com/rpcfleet/rpcfleet-go/admin"
)

// place is where the following of one log stands: all that a checkpoint keeps of it.
//
// A reading covers the time from a lower bound up to its own beginning. The next one's lower bound lies the late window
// before that beginning, however long ago it is by then: what the log did not hold yet when a reading began is newer
// than that, or later than the window allows. The entries above that bound are therefore the only ones to be met again,
// and with those of the page under way, which is read again after a crash, the only ones that are remembered.
//
// A copy of a place stays what it is while the following goes on: its lists are appended to or replaced as a whole.
type place struct {
	endpoint string
	// from and to bound the reading under way; to is zero between two readings. next is the lower bound of the one
	// after it.
	from, to, next time.Time
	// cursor is that of the page under way, or of the one to read next.
	cursor string
	// seen are the entries that another page can bring again.
	seen []sighting
	// page are the entries of the page under way that no other page can bring.
	page []sighting
}

// sighting is an entry that was delivered.
type sighting struct {
	// mark stands for the entry's identity: 64 bits of its hash. Among 100,000 entries that are remembered, a new one
	// is taken for one of them once in 1.8e14 times.
	mark uint64
	// second is the whole second, in unix time, of the entry's timestamp. Bounds are compared by whole seconds, since a
	// service may show times with fewer digits than it selects by.
	second int64
}

// sight returns what is remembered of an entry. One without a time that can be read counts as one of the reading's end.
func (p *place) sight(entry *admin.LogEntry) sighting {
	at := entry.Timestamp.Time
	if at.IsZero() {
		at = p.to
	}
	digest := sha256.Sum256([]byte(logIdentity(entry)))
	return sighting{mark: binary.BigEndian.Uint64(digest[:]), second: at.Unix()}
}

// begin sets the bounds of a reading, unless one is under way, and reports whether one is then: there is nothing to read
// yet where the lower bound is in the future.
func (p *place) begin(window time.Duration) bool {
	if now := time.Now().UTC(); p.to.IsZero() && p.from.Before(now) {
		p.to, p.next = now, p.from
		if horizon := now.Add(-window).Truncate(time.Second); horizon.After(p.from) {
			p.next = horizon
		}
	}
	return !p.to.IsZero()
}

// note adds an entry that is about to be delivered.
func (p *place) note(s sighting) {
	if s.second >= p.next.Unix() {
		p.seen = append(p.seen, s)
	} else {
		p.page = append(p.page, s)
	}
}

// turn goes on to another page of the reading, and returns what is no longer remembered.
func (p *place) turn(cursor string) (forgotten []sighting) {
	forgotten = p.page
	p.cursor, p.page = cursor, nil
	return forgotten
}

// finish makes way for the next reading, and returns what that cannot bring again.
func (p *place) finish() (forgotten []sighting) {
	forgotten = p.turn("")
	p.from, p.to, p.next = p.next, time.Time{}, time.Time{}
	var seen []sighting
	for _, s := range p.seen {
		if s.second >= p.from.Unix() {
			seen = append(seen, s)
		} else {
			forgotten = append(forgotten, s)
		}
	}
	p.seen = seen
	return forgotten
}
