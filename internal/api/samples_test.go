package api

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// records are all records of the admin and the alerts area.
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
	reflect.TypeFor[scalar.Time]():       `"2024-05-14T12:34:56.789Z"`,
	reflect.TypeFor[scalar.Secret]():     `"` + secret + `"`,
	reflect.TypeFor[scalar.SecretURL]():  `"https://a.example.com/` + secret + `/"`,
	reflect.TypeFor[scalar.Decimal]():    `12.50`,
	reflect.TypeFor[admin.MetricPoint](): `[1715690096,0.5]`,
	reflect.TypeFor[MetricTag]():         `["network","arbitrum-mainnet"]`,
	reflect.TypeFor[alerts.Expression](): `"dHhfdG8="`,
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
