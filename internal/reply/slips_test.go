package reply_test

import (
	"encoding/json"
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/reply"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

type status string

type cents int64

// rank reads itself.
type rank int

func (r *rank) UnmarshalText(text []byte) error {
	*r = rank(len(text))
	return nil
}

// fields has a text and a number in every place of a record that may hold one.
type fields struct {
	Text    string            `json:"text"`
	Texts   []string          `json:"texts"`
	TextPtr *string           `json:"text_ptr"`
	Status  status            `json:"status"`
	List    *[]*status        `json:"list"`
	Int     int               `json:"int"`
	IntPtr  *int              `json:"int_ptr"`
	Int64   int64             `json:"int64"`
	Int32   int32             `json:"int32"`
	Ints    []int             `json:"ints"`
	Int8    int8              `json:"int8"`
	Int16   int16             `json:"int16"`
	Float32 float32           `json:"float32"`
	Rank    rank              `json:"rank"`
	Cents   *cents            `json:"cents"`
	Float   float64           `json:"float"`
	Floats  []*float64        `json:"floats"`
	Map     map[string]string `json:"map"`
	Inner   *fields           `json:"inner"`
	ID      scalar.Decimal    `json:"id"`
	Bool    bool              `json:"bool"`
}

func TestRead_convertsScalarsOfOtherKind(t *testing.T) {
	for data, want := range map[string]fields{
		`{"text":7}`:                         {Text: "7"},
		`{"text":-12345678901234567890.500}`: {Text: "-12345678901234567890.500"},
		`{"text":1e+400}`:                    {Text: "1e+400"},
		`{"text":0}`:                         {Text: "0"},
		`{"texts":["a",7,null,1.0]}`:         {Texts: []string{"a", "7", "", "1.0"}},
		`{"text_ptr":7}`:                     {TextPtr: new("7")},
		`{"status":7,"list":[8,null]}`:       {Status: "7", List: &[]*status{new(status("8")), nil}},
		`{"map":{"a":1,"b":"2"}}`:            {Map: map[string]string{"a": "1", "b": "2"}},
		`{"inner":{"inner":{"text":7}}}`:     {Inner: &fields{Inner: &fields{Text: "7"}}},
		`{"int":"7"}`:                        {Int: 7},
		`{"int":"-4900"}`:                    {Int: -4900},
		`{"int":10.0,"int64":5000.0}`:        {Int: 10, Int64: 5000},
		`{"int":1e3,"int64":1.5E1}`:          {Int: 1000, Int64: 15},
		`{"int":"10.0"}`:                     {Int: 10},
		`{"int":-0.0,"int64":0e99999999999}`: {},
		`{"int_ptr":"7","ints":["1",2.0,3]}`: {IntPtr: new(7), Ints: []int{1, 2, 3}},
		`{"cents":"1e2"}`:                    {Cents: new(cents(100))},
		`{"int32":"2147483647"}`:             {Int32: math.MaxInt32},
		`{"int64":"9223372036854775807"}`:    {Int64: math.MaxInt64},
		`{"int64":-9.00719925e15}`:           {Int64: -9007199250000000},
		`{"int64":9223372036854775807.00}`:   {Int64: math.MaxInt64},
		`{"int64":90071992547.1e1}`:          {Int64: 900719925471},
		`{"float":"1.5","floats":["-2",3]}`:  {Float: 1.5, Floats: []*float64{new(-2.0), new(3.0)}},
		`{"float":"1e-3"}`:                   {Float: 0.001},
		`{"id":7,"int":"7"}`:                 {ID: scalar.NewDecimal("7"), Int: 7},
		`{"text":7,"text":8}`:                {Text: "8"},
		`{"int":"7","int":"8"}`:              {Int: 8},
		`{"int8":"-128","int16":3.2767e4}`:   {Int8: -128, Int16: 32767},
		`{"float32":"0.5","float":"-0.5"}`:   {Float32: 0.5, Float: -0.5},
		`{"rank":"high","text":7}`:           {Rank: 4, Text: "7"},
	} {
		responder, err := read[fields](api.ResponseData, jsonType, []byte(`{"data":`+data+`}`))
		require.NoError(t, err, data)
		assert.Equal(t, want, responder.Data, data)
	}
}

func TestRead_refusesLossyConversions(t *testing.T) {
	for data, place := range map[string]string{
		`{"int":10.5}`: "/data/int", `{"int":"10.5"}`: "/data/int", `{"int":"abc"}`: "/data/int", `{"int":""}`: "/data/int",
		`{"int":" 7"}`: "/data/int", `{"int":"+7"}`: "/data/int", `{"int":"007"}`: "/data/int", `{"int":"0x7"}`: "/data/int",
		`{"int":"1_0"}`: "/data/int", `{"int":true}`: "/data/int", `{"int":[7]}`: "/data/int", `{"int":"7 8"}`: "/data/int",
		`{"int8":"128"}`: "/data/int8", `{"int":10e9223372036854775807}`: "/data/int",
		`{"int":0.1e-9223372036854775808}`: "/data/int",
		`{"int":1e99999999999}`:            "/data/int", `{"int":12000e-3}`: "/data/int",
		`{"int64":9007199254741e5}`: "/data/int64", `{"int64":900719925474.1e1}`: "/data/int64",
		`{"int64":9007199254740.993e3}`: "/data/int64",
		`{"int":1e-1}`:                  "/data/int", `{"ints":[1,"x"]}`: "/data/ints/1",
		`{"int32":2147483648}`: "/data/int32", `{"int64":1180591620717411303424}`: "/data/int64",
		`{"int64":"9223372036854775808"}`: "/data/int64", `{"cents":0.5}`: "/data/cents",
		`{"float":""}`: "/data/float", `{"float":"NaN"}`: "/data/float", `{"float":"Inf"}`: "/data/float",
		`{"float":"1e400"}`: "/data/float", `{"float":"0x1p3"}`: "/data/float", `{"float":"1,5"}`: "/data/float",
		`{"text":true}`: "/data/text", `{"text":{}}`: "/data/text", `{"text":[]}`: "/data/text",
		`{"status":false}`: "/data/status",
		`{"bool":"true"}`:  "/data/bool", `{"bool":1}`: "/data/bool",
		`{"text":7,"inner":{"int":"x"}}`: "/data/inner/int",
	} {
		_, err := read[fields](api.ResponseData, jsonType, []byte(`{"data":`+data+`}`))
		malformed := requireMalformed(t, reply.Shape, err, data)
		assert.Contains(t, malformed.Detail, `"`+place+`"`, data)
		assert.NotContains(t, malformed.Detail, "interface", data)
	}
}

func TestRead_convertsScalarsInEnvelope(t *testing.T) {
	const bom = "\xef\xbb\xbf"
	responder, err := read[[]thing](api.ResponsePage, jsonType,
		[]byte(bom+`{"data":[{"id":7,"count":"3"}],"pagination":{"total":"1000","limit":20.0},"next_at":1700000000}`))
	require.NoError(t, err)
	assert.Equal(t, []thing{{ID: "7", Count: new(3)}}, responder.Data)
	assert.Equal(t, &reply.Page{Total: new(1000), Limit: new(20)}, responder.Page)
	assert.Equal(t, "1700000000", responder.NextAt)

	for _, kind := range []string{api.ResponseConfirm, api.ResponseNone, api.ResponseEmpty, api.ResponseMaybe} {
		_, err := read[thing](kind, jsonType, []byte(bom))
		require.NoError(t, err, kind)
		_, err = read[thing](kind, jsonType, []byte(bom+`{"error":"no"}`))
		require.EqualError(t, err, "no", kind)
	}
	assert.Equal(t, "no", reply.Explain("", []byte(bom+`{"error":"no"}`)))
}

// FuzzSlips compares an integer read from a number, and a number read from a text, with exact arithmetic.
func FuzzSlips(f *testing.F) {
	for _, seed := range []string{
		"7", "-0", "10.0", "10.5", "1e3", "1E-3", "1000e-3", "9223372036854775807", "9223372036854775808", "1e400",
		"0e9999999999",
		"", "x", "007", "0.1", "-1.0e+1",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, literal string) {
		quoted, err := json.Marshal(literal)
		require.NoError(t, err)
		number := json.Valid([]byte(literal)) && strings.TrimSpace(literal) == literal &&
			strings.Trim(literal, "-0123456789.eE+") == ""
		if mantissa, exponent, _ := strings.Cut(strings.ToLower(literal), "e"); len(exponent) > 4 || len(mantissa) > 1000 {
			return // Exact arithmetic would take its time.
		}
		text, err := read[fields](api.ResponseData, "", []byte(`{"data":{"int64":`+string(quoted)+`}}`))
		exact, isExact := new(big.Rat).SetString(literal)
		lossless := number && isExact && exact.IsInt() && exact.Num().IsInt64()
		readable := err == nil
		require.True(t, lossless || !readable)
		require.True(t, readable || !lossless || strings.ContainsAny(literal, "eE"), "without an exponent: %v", err)
		if readable {
			require.Equal(t, exact.Num().Int64(), text.Data.Int64)
		}
		if number {
			plain, err := read[fields](api.ResponseData, "", []byte(`{"data":{"int64":`+literal+`,"text":`+literal+`}}`))
			require.Equal(t, readable, err == nil)
			require.True(t, err != nil || plain.Data.Int64 == text.Data.Int64 && plain.Data.Text == literal)
		}
	})
}
