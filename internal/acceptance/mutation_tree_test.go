package acceptance

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// node is a JSON value that keeps details that a map would lose: the order and the duplicates of names, and the
// spelling of its literals, which need not be valid.
type node struct {
	kind     byte // '{', '[', or '"' for a text, or 0 for any other literal.
	names    []string
	children []*node
	literal  string // As it stands in the JSON.
}

// stale is another value that can be read in the place of this one.
func (n *node) stale() string {
	switch {
	case n.kind == '{':
		return "{}"
	case n.kind == '[':
		return "[]"
	case n.kind == '"' && strings.Trim(n.literal, `"0123456789`) == "": // Texts that are read as numbers.
		return `"7"`
	case n.kind == '"':
		return `"stale"`
	case n.literal == "null", n.literal == "true", n.literal == "false":
		return "null"
	}
	return "7"
}

// place is the position of a value in a tree. Its path has a star for the index of an item.
type place struct {
	path   string
	parent *node
	index  int
}

// with renders the tree around a place that has another value for the time being.
func (n *node) with(p place, literal string) []byte {
	was := p.parent.children[p.index]
	p.parent.children[p.index] = &node{literal: literal}
	defer func() { p.parent.children[p.index] = was }()
	return n.render()
}

// without renders the tree without a field.
func (n *node) without(p place) []byte {
	was := *p.parent
	p.parent.names = slices.Delete(slices.Clone(was.names), p.index, p.index+1)
	p.parent.children = slices.Delete(slices.Clone(was.children), p.index, p.index+1)
	defer func() { *p.parent = was }()
	return n.render()
}

// parse reads a body. Each call makes a separate tree.
func parse(t testing.TB, body []byte) *node {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	root, err := next(decoder)
	require.NoError(t, err, "%.300s", body)
	require.ErrorIs(t, second(decoder.Token()), io.EOF)
	return root
}

func next(decoder *json.Decoder) (*node, error) {
	token, err := decoder.Token()
	if err != nil {
		return nil, err
	}
	switch token := token.(type) {
	case json.Delim:
		n := &node{kind: byte(token)}
		for decoder.More() {
			if n.kind == '{' {
				name, err := decoder.Token()
				if err != nil {
					return nil, err
				}
				n.names = append(n.names, fmt.Sprintf("%q", name))
			}
			child, err := next(decoder)
			if err != nil {
				return nil, err
			}
			n.children = append(n.children, child)
		}
		_, err := decoder.Token()
		return n, err
	case string:
		literal, err := json.Marshal(token)
		return &node{kind: '"', literal: string(literal)}, err
	case json.Number, bool, nil:
		literal, err := json.Marshal(token)
		return &node{literal: string(literal)}, err
	}
	return nil, errors.New("a token of an unknown type")
}

// render writes the tree.
func (n *node) render() []byte {
	switch n.kind {
	case '{', '[':
	default:
		return []byte(n.literal)
	}
	out := []byte{n.kind}
	for i, child := range n.children {
		if i > 0 {
			out = append(out, ',')
		}
		if n.kind == '{' {
			out = append(append(out, n.names[i]...), ':')
		}
		out = append(out, child.render()...)
	}
	return append(out, n.kind+2) // In ASCII, each closing bracket comes two after its opening one.
}

// places lists the values inside the tree. Of items of a list, which look alike, each path is listed once.
func (n *node) places() []place {
	seen := map[string]bool{}
	var found []place
	var visit func(path string, parent *node)
	visit = func(path string, parent *node) {
		for i, child := range parent.children {
			step := "*"
			if parent.kind == '{' {
				step, _ = strconv.Unquote(parent.names[i])
			}
			inside := path + "/" + step
			if !seen[inside] {
				seen[inside], found = true, append(found, place{inside, parent, i})
			}
			visit(inside, child)
		}
	}
	visit("", n)
	return found
}

// each calls f for the tree's values, with the name of the field that contains each. It leaves out values that the
// client hands on unchanged.
func (n *node) each(name string, f func(name string, n *node)) {
	if name == `"metadata"` || name == `"abi"` {
		return
	}
	f(name, n)
	for i, child := range n.children {
		inside := name
		if n.kind == '{' {
			inside = n.names[i]
		}
		child.each(inside, f)
	}
}

// text reports whether a value is a text that means nothing to the client: a number in quotes has to stay one, and a
// cursor is sent back.
func (n *node) text(name string) bool {
	return n.kind == '"' && !quotedNumber.MatchString(n.literal) && !cursors[name]
}

var (
	quotedNumber = regexp.MustCompile(`^"-?(0x)?\d+(\.\d+)?"$`)
	cursors      = map[string]bool{`"next_at"`: true, `"endCursor"`: true, `"cursor"`: true}
)
