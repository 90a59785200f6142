package graph

import (
	"fmt"
	"sync"

	"github.com/go-json-experiment/json"
	jsonv1 "github.com/go-json-experiment/json/v1"
)

// Unmarshal parses JSON that encoding/json has written for records of this package, and stores the result in the value
// pointed to by into. Beyond encoding/json, it decodes the interfaces of this package wherever they occur: an [NFT], a
// list of [Event], or a field in the caller's struct. The member __typename selects the type.
//
//	text, err := json.Marshal(page.Items) // of the type []graph.Event
//	...
//	var events []graph.Event
//	err = graph.Unmarshal(text, &events)
//
// If the value is a record with interfaces in its fields, json.Unmarshal works as well.
func Unmarshal(text []byte, into any) error {
	prepare()
	if err := json.Unmarshal(text, into, asEncodingJSON, json.WithUnmarshalers(unmarshalers)); err != nil {
		return fmt.Errorf("graph: %w", err)
	}
	return nil
}

// asEncodingJSON selects the semantics of encoding/json, but its errors contain the whole path.
var asEncodingJSON = json.JoinOptions(jsonv1.DefaultOptionsV1(), jsonv1.ReportErrorsWithLegacySemantics(false))

var (
	preparing    sync.Once
	marshalers   *json.Marshalers
	unmarshalers *json.Unmarshalers
)

// prepare sets the functions. Their initial values would make every program link every record of this package.
func prepare() {
	preparing.Do(func() { marshalers, unmarshalers = newMarshalers(), newUnmarshalers() })
}

// marshal encodes a record like encoding/json, in one pass for all records in it.
func marshal(record any) ([]byte, error) {
	prepare()
	return json.Marshal(record, asEncodingJSON, json.WithMarshalers(marshalers))
}
