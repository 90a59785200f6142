package api

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rpcfleet/rpcfleet-go/internal/scan"
)

// TestRecords_ofResponsesHaveDecoders knows a record that is only sent by its want of a place for unknown fields.
func TestRecords_ofResponsesHaveDecoders(t *testing.T) {
	sent := 0
	for _, record := range records {
		_, received := record.of.FieldByName("Extra")
		if !received {
			sent++
		}
		s := scan.New([]byte(`{}`))
		ReadRecord(s, reflect.New(record.of).Interface())
		assert.Equal(t, received, s.End(), record.of)
	}
	assert.NotZero(t, sent)
	assert.Less(t, sent, len(records))
}
