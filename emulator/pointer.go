package emulator

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// The functions here change one place of a JSON text, which a JSON pointer names (RFC 6901).

var pointerForm = regexp.MustCompile(`^/(?:[^~]|~[01])*$`)

// isPointer reports whether a text is a pointer to a place below the root.
func isPointer(pointer string) bool { return pointerForm.MatchString(pointer) }

// decodeNumbers decodes JSON. Numbers keep their spelling.
func decodeNumbers(text []byte) (value any, err error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	err = decoder.Decode(&value)
	return value, err
}

// setLeaf sets an existing member or element, or a new member of an object. Without such a place, it returns the
// text as it was and false.
func setLeaf(text []byte, pointer string, value any) ([]byte, bool) {
	return edit(text, pointer, value, false)
}

// dropLeaf removes a member or an element. If neither exists, it returns the text as it was and false.
func dropLeaf(text []byte, pointer string) ([]byte, bool) { return edit(text, pointer, nil, true) }

func edit(text []byte, pointer string, value any, drop bool) ([]byte, bool) {
	root, err := decodeNumbers(text)
	if err != nil || !isPointer(pointer) {
		return text, false
	}
	changed, found := editAt(root, strings.Split(pointer[1:], "/"), value, drop)
	edited, err := json.Marshal(changed)
	if !found || err != nil {
		return text, false
	}
	return edited, true
}

// editAt sets or removes the place with a path inside a value. It returns the changed value, and whether there was such
// a place.
func editAt(holder any, path []string, value any, drop bool) (changed any, found bool) {
	name, last := strings.NewReplacer("~1", "/", "~0", "~").Replace(path[0]), len(path) == 1
	switch holder := holder.(type) {
	case map[string]any:
		inner, has := holder[name]
		switch {
		case last && drop:
			delete(holder, name)
			return holder, has
		case last:
			holder[name] = value
			return holder, true
		}
		holder[name], found = editAt(inner, path[1:], value, drop)
		return holder, found
	case []any:
		i, err := strconv.Atoi(name)
		switch {
		case err != nil || i < 0 || i >= len(holder) || strconv.Itoa(i) != name:
			return holder, false
		case last && drop:
			return slices.Delete(holder, i, i+1), true
		case last:
			holder[i] = value
			return holder, true
		}
		holder[i], found = editAt(holder[i], path[1:], value, drop)
		return holder, found
	}
	return holder, false
}
