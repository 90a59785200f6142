package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
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
	var root yaml.Node // Empty for a file of JSON.
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

// fromYAML converts YAML to JSON. The library bounds aliases and depth.
func fromYAML(text []byte, root *yaml.Node) ([]byte, error) {
	if err := yaml.Unmarshal(text, root); err != nil {
		return nil, err
	}
	var value any
	if !root.IsZero() {
		if err := prepare(root); err != nil {
			return nil, err
		}
		if err := root.Decode(&value); err != nil {
			return nil, err
		}
	}
	if value == nil {
		value = map[string]any{} // A file without content is an empty fleet.
	}
	return json.Marshal(value)
}

// prepare makes dates texts, as in JSON, and refuses merge keys, because a small file of them takes minutes.
func prepare(n *yaml.Node) error {
	switch n.ShortTag() {
	case "!!timestamp":
		n.Tag = "!!str"
	case "!!merge":
		return fmt.Errorf("line %d: merge keys are not supported", n.Line)
	}
	for _, inner := range n.Content {
		if err := prepare(inner); err != nil {
			return err
		}
	}
	return nil
}

// lineOf returns the line of a place such as endpoints[2].network, or of the innermost part of it that exists. Without
// a file of YAML it is 0.
func lineOf(n *yaml.Node, place string) int {
	line := n.Line
	for name := range strings.FieldsFuncSeq(place, func(c rune) bool { return c == '.' || c == '[' || c == ']' }) {
		for n.Kind == yaml.DocumentNode || n.Kind == yaml.AliasNode {
			if n.Kind == yaml.AliasNode {
				n = n.Alias
			} else {
				n = n.Content[0]
			}
		}
		var inner *yaml.Node
		switch index, err := strconv.Atoi(name); {
		case n.Kind == yaml.SequenceNode && err == nil && index < len(n.Content):
			inner = n.Content[index]
			line = inner.Line
		case n.Kind == yaml.MappingNode:
			for i := 0; i+1 < len(n.Content); i += 2 {
				if n.Content[i].Value == name {
					inner, line = n.Content[i+1], n.Content[i].Line
				}
			}
		}
		if inner == nil {
			break
		}
		n = inner
	}
	return line
}
