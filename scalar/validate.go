package scalar

import (
	"bytes"
	"encoding/json"
)

// space is what may stand around JSON values.
const space = " \t\r\n"

// validate returns data without the space around it and whether it is one JSON value.
func validate(data []byte) (value []byte, ok bool) {
	return bytes.Trim(data, space), json.Valid(data)
}
