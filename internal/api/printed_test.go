package api

import (
	"fmt"
	"log/slog"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rpcfleet/rpcfleet-go/admin"
)

// address is how fmt prints a pointer.
var address = regexp.MustCompile(`0x[0-9a-f]{6,}`)

// TestRecords_printReadably prints each record of callers with something in every field, alone and inside another
// value.
func TestRecords_printReadably(t *testing.T) {
	for _, record := range records {
		if record.of.PkgPath() == reflect.TypeFor[MetricTag]().PkgPath() {
			continue // It is internal.
		}
		value := filled(t, record.of).Interface()
		name := record.of.Name()
		var logged strings.Builder
		slog.New(slog.NewTextHandler(&logged, nil)).Info("x", "record", value)
		assert.NotRegexp(t, address, logged.String())
		assert.Contains(t, logged.String(), name+"{")
		assert.NotContains(t, logged.String(), secret)
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%d"} {
			text := fmt.Sprintf(verb, value)
			assert.True(t, strings.HasPrefix(text, name+"{") && (strings.HasSuffix(text, "}") || strings.HasSuffix(text, "…")),
				text)
			assert.NotRegexp(t, address, text)
			assert.NotContains(t, text, secret)
			assert.Contains(t, fmt.Sprintf(verb, []any{value}), text)
		}
	}
}

func TestRecords_nilPrintsAsNil(t *testing.T) {
	assert.Equal(t, "<nil>", fmt.Sprint((*admin.Endpoint)(nil)))
	endpoint := &admin.EndpointTag{TagID: new(int64(7)), Label: new("a")}
	assert.Equal(t, `EndpointTag{Label: "a", TagID: 7}`, fmt.Sprint(endpoint))
	assert.Equal(t, `[EndpointTag{Label: "a", TagID: 7}]`, fmt.Sprint([]admin.EndpointTag{*endpoint}))
}
