package streams

import (
	"encoding/json"

	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// Filter is the text of a filter, which travels in base64.
type Filter = scalar.Base64

// Attributes are the attributes of a destination, as they travel.
type Attributes = scalar.Extra

// Value is a JSON value of any kind.
type Value = json.RawMessage
