package api

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/internal/scan"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// records are all records of the REST areas.
var records []recordType

// recordType is the type of a record, with the check that a test makes with it.
type recordType struct {
	of         reflect.Type
	isReadBack func(t *testing.T, value any) (hasSecrets bool)
}

func recordOf[T any]() recordType { return recordType{reflect.TypeFor[T](), isReadBack[T]} }

// secret is a part of every secret that filled makes.
const secret = "not-to-be-shown"

// samples are the values of the types that read themselves.
var samples = map[reflect.Type]string{
	reflect.TypeFor[time.Time]():         `"2024-05-14T12:34:56.789Z"`,
	reflect.TypeFor[scalar.Secret]():     `"` + secret + `"`,
	reflect.TypeFor[scalar.SecretURL]():  `"https://a.example.com/` + secret + `/"`,
	reflect.TypeFor[scalar.Decimal]():    `12.50`,
	reflect.TypeFor[admin.MetricPoint](): `[1715690096,0.5]`,
	reflect.TypeFor[admin.MetricTag]():   `["network","arbitrum-mainnet"]`,
	reflect.TypeFor[scalar.Base64]():     `"dHhfdG8="`,
	reflect.TypeFor[json.RawMessage]():   `{"a":1}`,
}

// filled returns a value of a type, with something in every field.
func filled(t *testing.T, of reflect.Type) reflect.Value {
	t.Helper()
	value := reflect.New(of)
	fill(t, value.Elem())
	return value.Elem()
}

func fill(t *testing.T, value reflect.Value) {
	sample, known := samples[value.Type()]
	if !known && strings.HasSuffix(value.Type().PkgPath(), "/scalar") {
		sample, known = fmt.Sprintf(`{"member":%q}`, secret), true
	}
	if known {
		require.NoError(t, json.Unmarshal([]byte(sample), value.Addr().Interface()), value.Type())
		return
	}
	switch value.Kind() {
	case reflect.String:
		value.SetString("a text of " + value.Type().Name())
	case reflect.Bool:
		value.SetBool(true)
	case reflect.Int, reflect.Int64:
		value.SetInt(7)
	case reflect.Float64:
		value.SetFloat(0.5)
	case reflect.Pointer:
		value.Set(reflect.New(value.Type().Elem()))
		fill(t, value.Elem())
	case reflect.Slice:
		value.Set(reflect.MakeSlice(value.Type(), 2, 2))
		fill(t, value.Index(0))
		fill(t, value.Index(1))
	case reflect.Map:
		value.Set(reflect.MakeMap(value.Type()))
		value.SetMapIndex(reflect.ValueOf("a").Convert(value.Type().Key()), filled(t, value.Type().Elem()))
	case reflect.Struct:
		for i := range value.NumField() {
			fill(t, value.Field(i))
		}
	default:
		require.Fail(t, "a field of another kind", "%s", value.Type())
	}
}

// TestRecords_withSecretsRoundTrip writes each record with something in every field, and with nothing in any.
func TestRecords_withSecretsRoundTrip(t *testing.T) {
	require.Greater(t, len(records), 90)
	withSecrets := 0
	for _, record := range records {
		t.Run(record.of.String(), func(t *testing.T) {
			if record.isReadBack(t, filled(t, record.of).Interface()) {
				withSecrets++
			}
			record.isReadBack(t, reflect.Zero(record.of).Interface())
		})
	}
	assert.Greater(t, withSecrets, 8)
}

func isReadBack[T any](t *testing.T, value any) (hasSecrets bool) {
	record := value.(T)
	original := scalar.WithSecrets[map[string][]*T]{Value: map[string][]*T{"a": {nil, &record}}}
	stored, err := json.Marshal(original)
	require.NoError(t, err)
	var restored scalar.WithSecrets[map[string][]*T]
	require.NoError(t, json.Unmarshal(stored, &restored))
	assert.Equal(t, original, restored)

	plain, err := json.Marshal(record)
	require.NoError(t, err)
	assert.NotContains(t, string(plain), secret)
	var back T
	require.NoError(t, json.Unmarshal(plain, &back))
	again, err := json.Marshal(back)
	require.NoError(t, err)
	assert.Equal(t, string(plain), string(again), "what is written without secrets is read back as redacted")
	_, err = json.Marshal(scalar.WithSecrets[T]{Value: back})
	extras := regexp.MustCompile(`":\{"member":"` + secret) // Requests refuse those that were redacted.
	if !strings.Contains(extras.ReplaceAllString(string(stored), ""), secret) {
		assert.NoError(t, err, "there is nothing to redact")
		return false
	}
	require.ErrorContains(t, err, "was redacted; encode with scalar.WithSecrets")
	return true
}

// address is how fmt prints a pointer.
var address = regexp.MustCompile(`0x[0-9a-f]{6,}`)

// TestRecords_printReadably prints each record of callers with something in every field, alone and inside another
// value.
func TestRecords_printReadably(t *testing.T) {
	for _, record := range records {
		if record.of.PkgPath() == reflect.TypeFor[InvoiceList]().PkgPath() {
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

// TestRecords_haveFewPointers counts the fields of responses that a caller must look at before reading: numbers and
// booleans of which the null says something.
func TestRecords_haveFewPointers(t *testing.T) {
	pointers := map[string]int{}
	for _, record := range records {
		if _, received := record.of.FieldByName("Extra"); !received {
			continue
		}
		for field := range record.of.Fields() {
			if field.Type.Kind() == reflect.Pointer {
				pointers[record.of.PkgPath()]++
				name := record.of.String() + "." + field.Name
				if name != "admin.Endpoint.Security" && name != "admin.Endpoint.RateLimits" { // A listing has neither.
					assert.Contains(t, []reflect.Kind{reflect.Int, reflect.Int64, reflect.Bool}, field.Type.Elem().Kind(), name)
				}
			}
		}
	}
	assert.LessOrEqual(t, pointers[reflect.TypeFor[admin.Endpoint]().PkgPath()], 26)
	assert.LessOrEqual(t, pointers[reflect.TypeFor[alerts.Destination]().PkgPath()], 2)
}

func TestRecords_nilPrintsAsNil(t *testing.T) {
	assert.Equal(t, "<nil>", fmt.Sprint((*admin.Endpoint)(nil)))
	endpoint := &admin.EndpointTag{TagID: int64(7), Label: "a"}
	assert.Equal(t, `EndpointTag{Label: "a", TagID: 7}`, fmt.Sprint(endpoint))
	assert.Equal(t, `[EndpointTag{Label: "a", TagID: 7}]`, fmt.Sprint([]admin.EndpointTag{*endpoint}))
}

// TestRecords_decodersReadEveryField reads each record of a response, with something in every field, as encoding/json
// does. A record that is only sent has no place for unknown fields.
func TestRecords_decodersReadEveryField(t *testing.T) {
	sent := 0
	for _, record := range records {
		got, want := reflect.New(record.of).Interface(), reflect.New(record.of).Interface()
		text, err := json.Marshal(scalar.WithSecrets[any]{Value: filled(t, record.of).Interface()})
		require.NoError(t, err)
		text = regexp.MustCompile(`,?"\$extra":\{.*?\}`).ReplaceAll(text, nil)
		s := scan.New(text)
		_, received := record.of.FieldByName("Extra")
		require.Equal(t, received, ReadRecord(s, got), record.of)
		if !received {
			sent++
			continue
		}
		require.True(t, s.End(), "%s", text)
		require.NoError(t, json.Unmarshal(text, want))
		require.Equal(t, want, got)
	}
	assert.NotZero(t, sent)
	assert.Less(t, sent, len(records))
}
