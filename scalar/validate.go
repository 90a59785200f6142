package scalar

import (
	"bytes"
	"encoding/json"
)

// space is what may stand around JSON values.
const space = " \t\r\n"

// validate returns data without the space around it and whether it is one JSON value. What most values are it finds out
// by itself; the rest is encoding/json's.
func validate(data []byte) (value []byte, ok bool) {
	value = bytes.Trim(data, space)
	if len(value) == 0 {
		return nil, false
	}
	switch kindOf(value[0]) {
	case kindString:
		ok = isPlainText(value)
	case kindNumber:
		n, isNumber := cutNumber(string(value))
		return value, isNumber && (n.whole == "0" || n.whole[0] != '0')
	case kindNull:
		return value, string(value) == "null"
	}
	return value, ok || json.Valid(value)
}

// isPlainText reports whether value, which begins with a quotation mark, is a JSON string without escapes.
func isPlainText(value []byte) bool {
	last := len(value) - 1
	for _, c := range value[1:max(last, 1)] {
		if c < ' ' || c == '"' || c == '\\' {
			return false
		}
	}
	return last > 0 && value[last] == '"'
}
