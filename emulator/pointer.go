package emulator

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// The functions here change one place of a JSON text, which a JSON pointer names (RFC 6901).

// isPointer reports whether a text is a pointer to a place below the root.
func isPointer(pointer string) bool { return pointer != "" && jsontext.Pointer(pointer).IsValid() }

// decodeNumbers decodes JSON. Numbers keep their spelling.
func decodeNumbers(text []byte) (value any, err error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	err = decoder.Decode(&value)
	return value, err
}

// removed is the value that removes a place.
type removed struct{}

// setLeaf sets an existing member or element, or a new member of an object, or removes an existing one. Without such a
// place, it returns the text as it was and false.
func setLeaf(text []byte, pointer string, value any) ([]byte, bool) {
	root, err := decodeNumbers(text)
	if err != nil || !isPointer(pointer) {
		return text, false
	}
	changed, found := setAt(root, slices.Collect(jsontext.Pointer(pointer).Tokens()), value)
	edited, err := json.Marshal(changed)
	if !found || err != nil {
		return text, false
	}
	return edited, true
}

// setAt sets the place with a path inside a value. It returns the changed value, and whether there was such a place.
func setAt(holder any, path []string, value any) (changed any, found bool) {
	if len(path) == 0 {
		return value, true
	}
	switch holder := holder.(type) {
	case map[string]any:
		inner, has := holder[path[0]]
		if !has && (len(path) > 1 || value == (removed{})) {
			return holder, false
		}
		if holder[path[0]], found = setAt(inner, path[1:], value); holder[path[0]] == (removed{}) {
			delete(holder, path[0])
		}
		return holder, found
	case []any:
		i, err := strconv.Atoi(path[0])
		if err != nil || i < 0 || i >= len(holder) || strconv.Itoa(i) != path[0] {
			return holder, false
		}
		if holder[i], found = setAt(holder[i], path[1:], value); holder[i] == (removed{}) {
			return slices.Delete(holder, i, i+1), true
		}
		return holder, found
	}
	return holder, false
}
