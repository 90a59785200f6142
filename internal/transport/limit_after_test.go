package transport

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
)

// TestWhatWaitsForALimit runs once it has ended, unless it was stopped, as package context has it.
func TestWhatWaitsForALimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l limit
		l.begin(context.Background(), 0)
		ran := make([]bool, 5)
		var stops []func() bool
		for i := range 4 {
			stops = append(stops, l.AfterFunc(func() { ran[i] = true }))
		}
		assert.True(t, stops[2]())
		assert.False(t, stops[2](), "it was stopped before")
		assert.True(t, stops[0]())
		l.release()
		synctest.Wait()
		assert.Equal(t, []bool{false, true, false, true, false}, ran)
		assert.False(t, stops[1](), "it has run")
		assert.False(t, l.AfterFunc(func() { ran[4] = true })(), "it runs at once")
		synctest.Wait()
		assert.True(t, ran[4])
		assert.ErrorIs(t, l.Err(), context.Canceled)
	})
}
