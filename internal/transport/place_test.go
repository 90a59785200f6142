package transport

import (
	"context"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
)

// TestAConnectionIsHeldBackAsLongAsOthersMove measures how long a sending waits that others do not make room for.
func TestAConnectionIsHeldBackAsLongAsOthersMove(t *testing.T) {
	for name, waiting := range map[string]struct {
		every, takes time.Duration
	}{
		"nothing moves": {time.Hour, 250 * time.Millisecond},
		"others move":   {200 * time.Millisecond, time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := &pool{Transport: &http.Transport{}, open: 2, making: 2}
				waits, other := &place{}, &place{}
				waits.join(p)
				other.join(p)
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				go func() {
					for ctx.Err() == nil {
						time.Sleep(waiting.every)
						other.got(nil)
					}
				}()
				start := time.Now()
				assert.True(t, p.hold(t.Context(), waits))
				assert.Equal(t, waiting.takes, time.Since(start))
				assert.Equal(t, 3, p.open)
				assert.Empty(t, p.held)
				cancel()
				time.Sleep(time.Hour)
			})
		})
	}
}

// TestAConnectionIsHeldBackNoLongerThanItIsWanted ends the waiting in the ways that need no connection.
func TestAConnectionIsHeldBackNoLongerThanItIsWanted(t *testing.T) {
	for name, end := range map[string]func(waits *place){
		"it is served":   func(waits *place) { waits.got(nil) },
		"it is given up": func(waits *place) { waits.leave() },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := &pool{Transport: &http.Transport{}, open: 1, making: 1}
				waits := &place{}
				waits.join(p)
				go func() {
					time.Sleep(time.Millisecond)
					end(waits)
				}()
				start := time.Now()
				assert.False(t, p.hold(t.Context(), waits))
				assert.Equal(t, time.Millisecond, time.Since(start))
				assert.Equal(t, 1, p.open)
				assert.Empty(t, p.held)
				assert.False(t, p.hold(t.Context(), waits), "nor is one made later")
				waits.want()
				waits.join(p)
				waits.join(p)
				assert.True(t, p.hold(t.Context(), waits), "but where another one is looked for")
			})
		})
	}
}

// TestAConnectionIsCountedOnce while it is made, while it is there, and when it has ended, however often it is closed.
func TestAConnectionIsCountedOnce(t *testing.T) {
	for name, used := range map[string]bool{"used": true, "never used": false} {
		t.Run(name, func(t *testing.T) {
			one, other := net.Pipe()
			defer other.Close()
			p := &pool{Transport: &http.Transport{}, open: 2, making: 2, shared: true}
			l, c := &place{}, &connection{Conn: one, pool: p}
			l.join(p)
			if used {
				for range 2 {
					l.got(c)
				}
				assert.Equal(t, 1, p.making)
				assert.Equal(t, 2, p.open)
				assert.False(t, p.shared, "it is not one of HTTP/2")
			}
			moves := p.moves
			assert.NoError(t, c.Close())
			_ = c.Close()
			assert.Equal(t, 1, p.making)
			assert.Equal(t, 1, p.open)
			assert.Equal(t, moves+1, p.moves)
			assert.Equal(t, !used, p.shared)
		})
	}
}

// TestAFailedConnectionMakesRoom for the next over TLS, where one is made at a time.
func TestAFailedConnectionMakesRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &pool{Transport: &http.Transport{}, open: 1, making: 1, shared: true}
		waits, other := &place{}, &place{}
		waits.join(p)
		other.join(p)
		go func() {
			time.Sleep(time.Millisecond)
			(&connection{pool: p}).ended()
		}()
		start := time.Now()
		assert.True(t, p.hold(t.Context(), waits))
		assert.Equal(t, time.Millisecond, time.Since(start))
		assert.Equal(t, []int{1, 1}, []int{p.open, p.making})
	})
}
