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
	return editLeaf(text, pointer, func(holder any, name string) any {
		switch holder := holder.(type) {
		case map[string]any:
			holder[name] = value
			return holder
		case []any:
			if i, within := index(name, len(holder)); within {
				holder[i] = value
				return holder
			}
		}
		return nil
	})
}

// dropLeaf removes a member or an element. If neither exists, it returns the text as it was and false.
func dropLeaf(text []byte, pointer string) ([]byte, bool) {
	return editLeaf(text, pointer, func(holder any, name string) any {
		switch holder := holder.(type) {
		case map[string]any:
			if _, has := holder[name]; has {
				delete(holder, name)
				return holder
			}
		case []any:
			if i, within := index(name, len(holder)); within {
				return slices.Delete(holder, i, i+1)
			}
		}
		return nil
	})
}

// editLeaf replaces the object or the array that contains the place by the result of edit, which is nil if there is no
// such place.
func editLeaf(text []byte, pointer string, edit func(holder any, name string) any) ([]byte, bool) {
	root, err := decodeNumbers(text)
	if err != nil || !isPointer(pointer) {
		return text, false
	}
	changed := descend(root, strings.Split(pointer[1:], "/"), edit)
	if changed == nil {
		return text, false
	}
	edited, err := json.Marshal(changed)
	if err != nil {
		return text, false
	}
	return edited, true
}

// descend returns the value with the edit at a place inside, or nil.
func descend(value any, names []string, edit func(any, string) any) any {
	name := strings.NewReplacer("~1", "/", "~0", "~").Replace(names[0])
	if len(names) == 1 {
		return edit(value, name)
	}
	switch holder := value.(type) {
	case map[string]any:
		if changed := descend(holder[name], names[1:], edit); changed != nil {
			holder[name] = changed
			return holder
		}
	case []any:
		if i, within := index(name, len(holder)); within {
			if changed := descend(holder[i], names[1:], edit); changed != nil {
				holder[i] = changed
				return holder
			}
		}
	}
	return nil
}

// index parses an index of an array of a length.
func index(name string, length int) (int, bool) {
	i, err := strconv.Atoi(name)
	return i, err == nil && i >= 0 && i < length && strconv.Itoa(i) == name
}
