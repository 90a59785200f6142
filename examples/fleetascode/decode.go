package main

import (
	"bytes"
	"cmp"
	"encoding"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// decoder reads a file, and says of everything that is wrong where it is: the line, and the place in the file such as
// "endpoints[2].security.ips[0]".
type decoder struct {
	lines    map[string]int // The lines of places.
	merging  map[*yaml.Node]bool
	problems []error
}

// read reads and checks a file. All that is wrong is in the error, a line each.
func read(content []byte, getenv func(string) string) (*fleet, error) {
	d := &decoder{lines: map[string]int{}, merging: map[*yaml.Node]bool{}}
	var f fleet
	var document yaml.Node
	documents := yaml.NewDecoder(bytes.NewReader(content))
	switch err := documents.Decode(&document); {
	case errors.Is(err, io.EOF): // An empty file declares nothing.
		return &f, nil
	case err != nil:
		return nil, err
	}
	if err := documents.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return nil, errors.New("the file must be one YAML document")
	}
	d.value(document.Content[0], reflect.ValueOf(&f).Elem(), "")
	if len(d.problems) == 0 {
		d.fleet(&f, getenv)
	}
	return &f, errors.Join(d.problems...)
}

// wrong adds a problem at a place.
func (d *decoder) wrong(place, format string, arguments ...any) {
	reason := fmt.Sprintf(format, arguments...)
	parent := place
	for parent != "" && d.lines[parent] == 0 { // Something that is missing is where it should be.
		parent = parent[:max(strings.LastIndexAny(parent, ".["), 0)]
	}
	d.problems = append(d.problems, fmt.Errorf("line %d: %s: %s", max(d.lines[parent], 1), cmp.Or(place, "the file"), reason))
}

// value reads a node into a value.
func (d *decoder) value(node *yaml.Node, into reflect.Value, place string) {
	for node.Kind == yaml.AliasNode {
		node = node.Alias
	}
	d.lines[place] = node.Line
	switch {
	case node.ShortTag() == "!!null": // Nothing is said.
	case into.Kind() == reflect.Pointer:
		into.Set(reflect.New(into.Type().Elem()))
		d.value(node, into.Elem(), place)
	case isText(into):
		d.leaf(node, into, place)
	case into.Kind() == reflect.Struct:
		d.record(node, into, place)
	case into.Kind() == reflect.Map:
		d.table(node, into, place)
	case into.Kind() == reflect.Slice:
		d.items(node, into, place)
	default:
		d.leaf(node, into, place)
	}
}

// isText reports whether a type reads itself from text.
func isText(into reflect.Value) bool {
	_, text := into.Addr().Interface().(encoding.TextUnmarshaler)
	return text
}

func (d *decoder) leaf(node *yaml.Node, into reflect.Value, place string) {
	if node.Kind != yaml.ScalarNode {
		d.wrong(place, "must be a single value")
		return
	}
	if err := node.Decode(into.Addr().Interface()); err != nil {
		d.wrong(place, "must be %s", map[reflect.Kind]string{
			reflect.Int: "a whole number", reflect.Bool: "true or false", reflect.Struct: "an absolute URL",
		}[into.Kind()])
	}
}

func (d *decoder) items(node *yaml.Node, into reflect.Value, place string) {
	if node.Kind != yaml.SequenceNode {
		d.wrong(place, "must be a list")
		return
	}
	into.Set(reflect.MakeSlice(into.Type(), len(node.Content), len(node.Content)))
	for i, item := range node.Content {
		d.value(item, into.Index(i), fmt.Sprintf("%s[%d]", place, i))
	}
}

func (d *decoder) table(node *yaml.Node, into reflect.Value, place string) {
	into.Set(reflect.MakeMap(into.Type()))
	for key, node := range d.members(node, place) {
		value := reflect.New(into.Type().Elem()).Elem()
		d.value(node, value, under(place, key))
		into.SetMapIndex(reflect.ValueOf(key).Convert(into.Type().Key()), value)
	}
}

func (d *decoder) record(node *yaml.Node, into reflect.Value, place string) {
	var names []string
	members := d.members(node, place)
	for i := range into.NumField() {
		name, _, _ := strings.Cut(into.Type().Field(i).Tag.Get("yaml"), ",")
		names = append(names, name)
		if member, there := members[name]; there {
			d.value(member, into.Field(i), under(place, name))
			delete(members, name)
		}
	}
	slices.Sort(names)
	for key := range members {
		d.lines[under(place, key)] = members[key].Line
		d.wrong(under(place, key), "there is no such key: the keys here are %s", strings.Join(names, ", "))
	}
}

// members returns the members of a mapping by their keys. Those of mappings that are merged in by "<<" come first, so
// that the mapping's own take their place.
func (d *decoder) members(node *yaml.Node, place string) map[string]*yaml.Node {
	members := map[string]*yaml.Node{}
	switch {
	case node.Kind != yaml.MappingNode:
		d.wrong(place, "must be a mapping of keys to values")
		return members
	case d.merging[node]:
		d.wrong(place, "is merged into itself")
		return members
	}
	d.merging[node] = true
	defer delete(d.merging, node)
	own := map[string]bool{}
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		switch {
		case key.ShortTag() == "!!merge":
			for value.Kind == yaml.AliasNode {
				value = value.Alias
			}
			for name, merged := range d.members(value, place) {
				if !own[name] {
					members[name] = merged
				}
			}
		case own[key.Value]:
			d.lines[under(place, key.Value)] = key.Line
			d.wrong(under(place, key.Value), "the key is there twice")
		default:
			own[key.Value] = true
			members[key.Value] = value
		}
	}
	return members
}

func under(place, key string) string {
	if place == "" {
		return key
	}
	return place + "." + key
}
