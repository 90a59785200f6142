package graphapi

import (
	"encoding/json"
	"fmt"
	"math/big"
	"time"
)

// bigInt is the schema's BigInt.
type bigInt struct{ *big.Int }

func newBigInt(v int64) bigInt { return bigInt{big.NewInt(v)} }

// ImplementsGraphQLType implements the executor's interface for scalars.
func (bigInt) ImplementsGraphQLType(name string) bool { return name == "BigInt" }

// UnmarshalGraphQL refuses: no argument of the schema is a BigInt.
func (*bigInt) UnmarshalGraphQL(any) error { return fmt.Errorf("BigInt is not an argument's type") }

// MarshalJSON writes a number while it fits in 2^53, and text beyond (observed).
func (b bigInt) MarshalJSON() ([]byte, error) {
	if b.CmpAbs(big.NewInt(1<<53)) <= 0 {
		return []byte(b.String()), nil
	}
	return json.Marshal(b.String())
}

// dateTime is the schema's DateTime.
type dateTime struct{ time.Time }

// ImplementsGraphQLType implements the executor's interface for scalars.
func (dateTime) ImplementsGraphQLType(name string) bool { return name == "DateTime" }

// UnmarshalGraphQL reads RFC 3339.
func (d *dateTime) UnmarshalGraphQL(input any) error {
	text, ok := input.(string)
	if !ok {
		return fmt.Errorf("DateTime must be text, not %T", input)
	}
	var err error
	d.Time, err = time.Parse(time.RFC3339, text)
	return err
}

// MarshalJSON writes RFC 3339 with milliseconds.
func (d dateTime) MarshalJSON() ([]byte, error) {
	return json.Marshal(d.UTC().Format("2006-01-02T15:04:05.000Z"))
}

// jsonValue is the schema's JSON and JSONObject.
type jsonValue struct{ any }

// MarshalJSON writes what is inside.
func (v jsonValue) MarshalJSON() ([]byte, error) { return json.Marshal(v.any) }

// ImplementsGraphQLType implements the executor's interface for scalars.
func (jsonValue) ImplementsGraphQLType(name string) bool {
	return name == "JSON" || name == "JSONObject"
}

// UnmarshalGraphQL refuses: no argument of the schema is free-form JSON.
func (*jsonValue) UnmarshalGraphQL(any) error { return fmt.Errorf("JSON is not an argument's type") }
