package main

import (
	"errors"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

// A small file can become any size by its aliases, and endless by one that is inside what it stands for.
const (
	mostNodes = 5_000_000
	deepest   = 100
)

// converter turns nodes into values as package json knows them.
type converter struct{ nodes, depth int }

// valueOf is a node's value. A date stays a text, as it is in JSON.
func (c *converter) valueOf(n *yaml.Node) (any, error) {
	c.nodes++
	c.depth++
	defer func() { c.depth-- }()
	if c.nodes > mostNodes || c.depth > deepest {
		return nil, errors.New("the file is too large or too deep, with its aliases")
	}
	switch n.Kind {
	case yaml.DocumentNode:
		return c.valueOf(n.Content[0])
	case yaml.AliasNode:
		return c.valueOf(n.Alias)
	case yaml.SequenceNode:
		list := make([]any, 0, len(n.Content))
		for _, item := range n.Content {
			value, err := c.valueOf(item)
			if err != nil {
				return nil, err
			}
			list = append(list, value)
		}
		return list, nil
	case yaml.MappingNode:
		return c.mapOf(n)
	case yaml.ScalarNode:
		if n.ShortTag() == "!!timestamp" {
			return n.Value, nil
		}
		var value any
		if err := n.Decode(&value); err != nil {
			return nil, fmt.Errorf("line %d: %w", n.Line, err)
		}
		return value, nil
	}
	return nil, nil //nolint:nilnil // An empty file has nothing in it.
}

func (c *converter) mapOf(n *yaml.Node) (any, error) {
	members := make(map[string]any, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		name := n.Content[i].Value
		if _, twice := members[name]; twice {
			return nil, fmt.Errorf("line %d: %s is there twice", n.Content[i].Line, name)
		}
		value, err := c.valueOf(n.Content[i+1])
		if err != nil {
			return nil, err
		}
		members[name] = value
	}
	return members, nil
}

// lineOf finds the line of a place such as endpoints[2].network, or of as much of it as there is. It is 0 where there is
// none.
func lineOf(n *yaml.Node, place string) int {
	line := n.Line
	for n.Kind == yaml.DocumentNode || n.Kind == yaml.AliasNode {
		if n.Kind == yaml.AliasNode {
			n = n.Alias
			continue
		}
		n = n.Content[0]
	}
	place = strings.TrimPrefix(place, ".")
	if rest, isItem := strings.CutPrefix(place, "["); isItem && n.Kind == yaml.SequenceNode {
		var index int
		digits, rest, _ := strings.Cut(rest, "]")
		if _, err := fmt.Sscan(digits, &index); err == nil && index < len(n.Content) {
			return lineOf(n.Content[index], rest)
		}
		return line
	}
	end := strings.IndexAny(place, ".[")
	if end < 0 {
		end = len(place)
	}
	if n.Kind != yaml.MappingNode || end == 0 {
		return line
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == place[:end] {
			if end == len(place) {
				return n.Content[i].Line
			}
			return lineOf(n.Content[i+1], place[end:])
		}
	}
	return line
}
