// Package leaf changes one place of a JSON text, named by a JSON pointer (RFC 6901).
package leaf

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
)

// ErrPointer is a text that is no pointer to a place in a value. The pointer to the whole is none either.
var ErrPointer = errors.New(`must be a JSON pointer to a place below the root, such as "/data/id"`)

// Check reports whether a text is a pointer to a place in a value.
func Check(pointer string) error {
	if !strings.HasPrefix(pointer, "/") {
		return ErrPointer
	}
	for i := 0; i < len(pointer); i++ {
		if pointer[i] == '~' && (i+1 == len(pointer) || pointer[i+1] != '0' && pointer[i+1] != '1') {
			return ErrPointer
		}
	}
	return nil
}

// Set puts a value at a place: in that of a member or an element, or as a new member of an object. It returns the text
// as it was, and false, where it has no such place.
func Set(text []byte, pointer string, value any) ([]byte, bool) {
	return edit(text, pointer, func(holder any, name string) (any, bool) {
		switch holder := holder.(type) {
		case map[string]any:
			holder[name] = value
			return holder, true
		case []any:
			if i, within := index(name, len(holder)); within {
				holder[i] = value
				return holder, true
			}
		}
		return nil, false
	})
}

// Drop takes a member or an element away. It returns the text as it was, and false, where there is none.
func Drop(text []byte, pointer string) ([]byte, bool) {
	return edit(text, pointer, func(holder any, name string) (any, bool) {
		switch holder := holder.(type) {
		case map[string]any:
			if _, has := holder[name]; has {
				delete(holder, name)
				return holder, true
			}
		case []any:
			if i, within := index(name, len(holder)); within {
				return append(holder[:i], holder[i+1:]...), true
			}
		}
		return nil, false
	})
}

// edit changes what holds the place, which is an object or an array.
func edit(text []byte, pointer string, change func(holder any, name string) (any, bool)) ([]byte, bool) {
	var root any
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber() // Numbers stay as they are spelled.
	if Check(pointer) != nil || decoder.Decode(&root) != nil {
		return text, false
	}
	changed, ok := descend(root, strings.Split(pointer[1:], "/"), change)
	if !ok {
		return text, false
	}
	edited, err := json.Marshal(changed)
	if err != nil {
		return text, false
	}
	return edited, true
}

// descend follows the names to the last and returns the value with the change in it.
func descend(value any, names []string, change func(any, string) (any, bool)) (any, bool) {
	name := strings.NewReplacer("~1", "/", "~0", "~").Replace(names[0])
	if len(names) == 1 {
		return change(value, name)
	}
	switch value := value.(type) {
	case map[string]any:
		inner, has := value[name]
		if !has {
			return nil, false
		}
		changed, ok := descend(inner, names[1:], change)
		if ok {
			value[name] = changed
		}
		return value, ok
	case []any:
		i, within := index(name, len(value))
		if !within {
			return nil, false
		}
		changed, ok := descend(value[i], names[1:], change)
		if ok {
			value[i] = changed
		}
		return value, ok
	}
	return nil, false
}

// index reads the place in an array of a length.
func index(name string, length int) (int, bool) {
	i, err := strconv.Atoi(name)
	return i, err == nil && i >= 0 && i < length && strconv.Itoa(i) == name
}
