package alerts

import (
	"crypto/sha256"
	"sync"
	"time"
)

// replayGuard remembers deliveries by their marks, such as the nonce, so that each is carried out once. A delivery is
// claimed before it is carried out and settled after it. Its memory is bounded: settled deliveries are forgotten after
// some time, and beyond a limit no further one is let in.
type replayGuard struct {
	keep  time.Duration
	limit int

	mu sync.Mutex
	// claimed has the marks of the deliveries that are known: false while one is carried out, true when it is done.
	claimed map[mark]bool
	// running counts the deliveries that are carried out, done lists those that are settled, oldest first.
	running int
	done    []settled
}

// mark stands for a text of any length.
type mark [sha256.Size]byte

type settled struct {
	marks  []mark
	forget time.Time
}

// verdict is the outcome of asking for a delivery.
type verdict int

const (
	granted  verdict = iota
	repeated         // It was carried out before.
	underway         // It is being carried out.
	full             // There is no room to remember it.
)

func newReplayGuard(keep time.Duration, limit int) *replayGuard {
	return &replayGuard{keep: keep, limit: limit, claimed: make(map[mark]bool)}
}

// claim asks whether a delivery may be carried out. If so, settle must follow. One without marks always may.
func (g *replayGuard) claim(now time.Time, marks []mark) verdict {
	if len(marks) == 0 {
		return granted
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	for len(g.done) > 0 && now.After(g.done[0].forget) {
		g.release(g.done[0].marks)
		g.done = g.done[1:]
	}
	answer := granted
	for _, m := range marks {
		switch done, known := g.claimed[m]; {
		case known && done:
			return repeated
		case known:
			answer = underway
		}
	}
	if answer == granted && g.running+len(g.done) >= g.limit {
		return full
	}
	if answer == granted {
		g.running++
		for _, m := range marks {
			g.claimed[m] = false
		}
	}
	return answer
}

// settle ends a delivery that was claimed. One that failed may come again.
func (g *replayGuard) settle(now time.Time, marks []mark, failed bool) {
	if len(marks) == 0 {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.running--
	if failed {
		g.release(marks)
		return
	}
	for _, m := range marks {
		g.claimed[m] = true
	}
	g.done = append(g.done, settled{marks, now.Add(g.keep)})
}

func (g *replayGuard) release(marks []mark) {
	for _, m := range marks {
		delete(g.claimed, m)
	}
}

// marksOf returns what a delivery is known by. The signature is one mark beside the nonce because nonce and content
// hash are signed without anything between them: with some letters moved from one to the other, a delivery has another
// nonce and the same signature.
func marksOf(headers *Headers) []mark {
	var marks []mark
	if headers.Nonce != "" {
		marks = append(marks, sha256.Sum256([]byte("nonce "+headers.Nonce)))
	}
	if headers.Signature != "" {
		marks = append(marks, sha256.Sum256([]byte("signature "+headers.Signature)))
	}
	return marks
}
