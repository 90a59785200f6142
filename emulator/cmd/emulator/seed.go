package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/rpcfleet/rpcfleet-go/emulator"
	"github.com/rpcfleet/rpcfleet-go/emulator/fleet"
)

// populate adds the fleet in a file. An error names the file and the place in it.
func populate(service *emulator.Emulator, file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var root yaml.Node // None for a file of JSON.
	if !strings.HasSuffix(file, ".json") {
		if text, err = fromYAML(text, &root); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	read, err := fleet.Read(bytes.NewReader(text))
	if err == nil {
		_, err = service.Populate(read)
	}
	if wrong := (*fleet.Error)(nil); errors.As(err, &wrong) {
		if line := lineOf(&root, wrong.Place); line > 0 {
			return fmt.Errorf("%s:%d: %w", file, line, wrong)
		}
		return fmt.Errorf("%s: %w", file, wrong)
	}
	return err
}

// fromYAML turns YAML into JSON.
func fromYAML(text []byte, root *yaml.Node) ([]byte, error) {
	if err := yaml.Unmarshal(text, root); err != nil {
		return nil, err
	}
	value, err := new(converter).valueOf(root)
	if err != nil {
		return nil, err
	}
	if value == nil {
		value = map[string]any{} // A file of comments alone is an empty fleet.
	}
	return json.Marshal(value)
}

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
