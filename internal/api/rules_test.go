package api

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/rpcfleet/rpcfleet-go/admin"
)

// node is a mapping of an OpenAPI file.
type node = map[string]any

// file is an OpenAPI file.
type file struct{ root node }

// follow returns the schema that a reference, or a schema of one other schema, stands for.
func (f file) follow(of any) node {
	n := of.(node)
	if all, is := n["allOf"].([]any); is {
		n = all[0].(node)
	}
	if reference, is := n["$ref"].(string); is {
		n = f.root
		for part := range strings.SplitSeq(strings.TrimPrefix(reference, "#/"), "/") {
			n = n[part].(node)
		}
	}
	return n
}

// good returns a value of a schema that breaks no rule.
func (f file) good(of any) any {
	s := f.follow(of)
	switch {
	case s["enum"] != nil:
		return s["enum"].([]any)[0]
	case s["type"] == "array":
		return []any{f.good(s["items"])}
	case s["type"] == "object":
		made := node{}
		properties, _ := s["properties"].(node) // An object may have any fields.
		for name, property := range properties {
			made[name] = f.good(property)
		}
		return made
	case s["format"] == "uuid":
		return "7d0c1f64-2b7e-1f0a-8a4e-51c9b8c0a9d3"
	case s["format"] == "date-time", s["format"] == "unix-time":
		return "2026-03-01T10:00:00Z"
	case s["format"] == "secret-url":
		return "https://hooks.example.com/"
	case s["format"] == "byte":
		return "dHhfdG8="
	case s["type"] == "string":
		return "four"
	case s["type"] == "boolean":
		return false
	}
	return 1
}

// arguments is the schema of all arguments of an operation: of its path, its query and its body, by their names.
func (f file) arguments(path, operation node) node {
	properties, required := node{}, []any{}
	for _, of := range []node{path, operation} {
		parameters, _ := of["parameters"].([]any)
		for _, parameter := range parameters {
			p := f.follow(parameter)
			schema := with(f.follow(p["schema"]), "in", p["in"])
			properties[p["name"].(string)] = with(schema, "x-source", p["x-source"])
			if p["required"] == true {
				required = append(required, p["name"])
			}
		}
	}
	if content, is := operation["requestBody"].(node); is {
		body := f.follow(f.follow(content)["content"].(node)["application/json"].(node)["schema"])
		maps.Copy(properties, body["properties"].(node))
		names, _ := body["required"].([]any)
		required = append(required, names...)
	}
	if excluded, is := operation["x-exclusive"].([]any); is {
		delete(properties, excluded[1].(string))
	}
	return node{"type": "object", "properties": properties, "required": required}
}

// breach is an argument that breaks one rule.
type breach struct {
	field, rule string
	value       any
	always      bool
	shown       any // The value in the violation, if it is a text or a number.
}

// breaches returns values that each break one rule that a schema states of an argument.
func (f file) breaches(field string, of any, required bool) (all []breach) {
	s := f.follow(of)
	breaks := func(rule string, value any) {
		shown := value
		if _, is := value.(node); is || value == "" {
			shown = nil
		}
		all = append(all, breach{field, rule, value, false, shown})
	}
	stated := func(keyword string) (int, bool) {
		value, is := s[keyword].(int)
		ranks, _ := s["x-source-of"].(node)
		return value, is && ranks[keyword] == nil
	}
	if s["in"] == "path" && s["type"] == "string" {
		for value, rule := range map[string]string{"": "must not be empty", ".": "must not be a dot segment",
			"..": "must not be a dot segment"} {
			all = append(all, breach{field, rule, value, true, nil})
		}
		required = false
	}
	switch enum, isEnum := s["enum"].([]any); {
	case s["x-source"] != nil, s["x-unlisted"] == true:
	case isEnum && s["type"] == "integer":
		breaks(fmt.Sprintf("must be from %d to %d", enum[0], enum[len(enum)-1]), enum[0].(int)-1)
		breaks("must be from", enum[len(enum)-1].(int)+1)
	case isEnum:
		breaks("must be one of the documented values (", "no-such-value")
		breaks(map[bool]string{true: "is required", false: "must be one of the documented values"}[required], "")
	case s["type"] == "array":
		items := f.follow(s["items"])
		if required {
			breaks("is required", nil)
		}
		if items["enum"] != nil {
			const other = "no-such-value"
			all = append(all, breach{field + "[0]", "must be one of the documented values", []any{other}, false, other})
		} else if items["type"] == "string" && s["in"] != "query" && s["x-empty-items"] == nil {
			all = append(all, breach{field + "[1]", "must not be empty", []any{"a", ""}, false, nil})
		}
	case s["type"] == "object":
		if s["minProperties"] != nil {
			breaks("needs at least one of rps, rpm, rpd", node{})
		}
		names, _ := s["required"].([]any)
		properties, _ := s["properties"].(node)
		for name, property := range properties {
			for _, b := range f.breaches(name, property, slices.Contains(names, any(name))) {
				b.field, b.value = strings.TrimPrefix(field+"."+b.field, "."), with(f.good(s).(node), name, b.value)
				all = append(all, b)
			}
		}
	case s["x-time-based"] == true:
		breaks("must be a time-based UUID (version 1, 6 or 7)", "7d0c1f64-2b7e-4f0a-8a4e-51c9b8c0a9d3")
	case s["format"] == "uuid":
		breaks("must be a UUID", "o-1")
	case s["type"] == "string" && required:
		breaks("is required", "")
	}
	if minimum, is := stated("minimum"); is {
		breaks(fmt.Sprint("must be at least ", minimum), minimum-1)
	}
	if maximum, is := stated("maximum"); is {
		breaks(fmt.Sprint("must be at most ", maximum), maximum+1)
	}
	if least, is := stated("minLength"); is {
		breaks(fmt.Sprintf("must have at least %d characters", least), strings.Repeat("ü", least-1))
	}
	return all
}

// request makes the request of an operation with arguments that go by their names. Those after the path are the fields of
// a private body.
func request(t *testing.T, op *Operation, fields []string, values node) Request {
	t.Helper()
	set := func(into reflect.Value, value any) {
		if value == "" && into.Type() == reflect.TypeFor[time.Time]() {
			return
		}
		text, err := json.Marshal(value)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(text, into.Addr().Interface()), "%s", text)
	}
	builder, arguments := reflect.ValueOf(builders[op.ID]), []reflect.Value{}
	inPath := strings.Count(op.Path, "{")
	for i := range builder.Type().NumIn() {
		argument := reflect.New(builder.Type().In(i)).Elem()
		switch {
		case i < inPath:
			set(argument, values[strings.SplitN(strings.Split(op.Path, "{")[i+1], "}", 2)[0]])
		case fields != nil:
			set(argument, values[fields[i-inPath]])
		case argument.Kind() == reflect.Pointer:
			argument.Set(reflect.New(argument.Type().Elem()))
			for name, value := range values {
				if field := argument.Elem().FieldByNameFunc(func(field string) bool {
					return strings.EqualFold(field, strings.ReplaceAll(name, "_", ""))
				}); field.IsValid() {
					set(field, value)
				}
			}
		default:
			set(argument, values)
		}
		arguments = append(arguments, argument)
	}
	return requestIn(builder.Call(arguments)[0])
}

// fields returns the fields of the private body of an operation, or nil.
func (f file) fields(operation node) []string {
	content, is := operation["requestBody"].(node)
	if !is {
		return nil
	}
	body := f.follow(f.follow(content)["content"].(node)["application/json"].(node)["schema"])
	if body["x-record"] == nil {
		return nil
	}
	return slices.Sorted(maps.Keys(body["properties"].(node)))
}

// TestRules_matchContract breaks each rule that the OpenAPI files state of an argument, one at a time.
func TestRules_matchContract(t *testing.T) {
	broken := 0
	for area, table := range Areas {
		var f file
		text, err := os.ReadFile("../../openapi/" + area + ".yaml")
		require.NoError(t, err)
		require.NoError(t, yaml.Unmarshal(text, &f.root))
		for _, op := range table {
			path := f.root["paths"].(node)[op.Path].(node)
			operation := path[strings.ToLower(op.Method)].(node)
			arguments, fields := f.arguments(path, operation), f.fields(operation)
			require.Nil(t, request(t, op, fields, f.good(arguments).(node)).Violation, op.ID)
			for _, b := range f.breaches("", arguments, true) {
				got := request(t, op, fields, b.value.(node)).Violation
				require.NotNil(t, got, "%s: %v", op.ID, b)
				assert.Equal(t, b.field, got.Field, op.ID)
				assert.Contains(t, got.Rule, b.rule, "%s %s", op.ID, b.field)
				assert.Equal(t, b.always, got.Always, "%s %s", op.ID, b.field)
				if b.shown != nil {
					assert.Equal(t, fmt.Sprint(b.shown), fmt.Sprint(got.Value), "%s %s", op.ID, b.field)
				}
				broken++
			}
		}
	}
	assert.Greater(t, broken, 200)
}

// with returns a mapping with one member changed.
func with(old node, name string, value any) node {
	changed := maps.Clone(old)
	changed[name] = value
	return changed
}

func TestUndocumented_listsValues(t *testing.T) {
	assert.Equal(t, "must be one of the documented values (active, paused)",
		Undocumented("status", admin.EndpointStatus("asleep")).Rule)
}
