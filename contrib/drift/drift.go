// Package fleetdrift validates responses against the service's contract with kin-openapi.
//
//	hook, err := fleetdrift.New(func(_ context.Context, drift fleetdrift.Drift) { log.Printf("%+v", drift) })
//	if err != nil {
//		return err
//	}
//	client, err := rpcfleet.New(rpcfleet.WithCallHook(hook), rpcfleet.WithBaseURL(address), rpcfleet.WithAPIKey(key))
//
// The last response of each call of an operation in package openapi is validated: its status, media type and JSON.
// Nothing of it changes, and the call's result does not depend on it. Not validated are the graph area, calls of
// [rpcfleet.Do] that are not in the contract, and bodies that are not JSON.
//
// No value of a response is reported. Names of fields are redacted by [rpcfleet.Response.Redact].
package fleetdrift

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/openapi"
)

// Drift is a difference between a response and the contract.
type Drift struct {
	Operation  string
	StatusCode int
	// Pointer is a JSON Pointer into the body, such as /data/0/status. It is empty for the body and for the response.
	Pointer string
	// Rule is the broken rule: "unknown field"; "status" or "content", if the status or the media type is unknown; or a
	// keyword of the schema, such as "type", "enum", "required", "nullable" or "format".
	Rule string
	// Found is the kind of value: "null", "boolean", "number", "string", "array" or "object". It is empty if there is
	// none.
	Found string
	// More is set in the last Drift of a response with more than 100, instead of Pointer, Rule and Found: the number of
	// further ones.
	More int
}

// maxReported is the maximum number of differences of a response that are reported one by one.
const maxReported = 100

// contract contains the documented operations by area, method and path.
var contract = sync.OnceValues(func() (map[string]*openapi3.Operation, error) {
	operations := map[string]*openapi3.Operation{}
	for area, document := range map[string][]byte{
		"admin": openapi.Admin, "alerts": openapi.Alerts, "webhooks": openapi.Webhooks, "keyvalue": openapi.KeyValue,
		"streams": openapi.Streams,
	} {
		loaded, err := openapi3.NewLoader().LoadFromData(document)
		if err != nil {
			return nil, err
		}
		for path, item := range loaded.Paths.Map() {
			for method, op := range item.Operations() {
				operations[area+" "+method+" "+path] = op
			}
		}
	}
	return operations, nil
})

// New returns a hook that calls handle for each difference, before the call returns. It runs concurrently.
func New(handle func(ctx context.Context, drift Drift)) (rpcfleet.CallHook, error) {
	operations, err := contract()
	if err == nil && handle == nil {
		err = errors.New("fleetdrift: handle must not be nil")
	}
	return func(ctx context.Context, op rpcfleet.Operation) (context.Context, func(rpcfleet.CallResult)) {
		documented := operations[op.Area+" "+op.Method+" "+op.Path]
		return ctx, func(result rpcfleet.CallResult) {
			if documented == nil || result.Response.StatusCode == 0 {
				return
			}
			v := validation{response: result.Response, handle: func(drift Drift) {
				drift.Operation, drift.StatusCode = op.ID, result.Response.StatusCode
				handle(ctx, drift)
			}}
			v.validate(documented)
			if v.found > maxReported {
				v.handle(Drift{More: v.found - maxReported})
			}
		}
	}, err
}

// validation is the validation of a response.
type validation struct {
	response rpcfleet.Response
	handle   func(Drift)
	found    int
}

func (v *validation) validate(op *openapi3.Operation) {
	documented := op.Responses.Status(v.response.StatusCode)
	if documented == nil {
		v.report(nil, "status", "")
		return
	}
	content, body := documented.Value.Content, v.response.Body()
	expected, found := content["application/json"], content["application/json"]
	if mediaType := v.response.Header().Get("Content-Type"); mediaType != "" {
		found = content.Get(mediaType)
	}
	switch {
	case len(content) == 0 || len(body) == 0:
	case found == nil:
		v.report(nil, "content", "")
	case found == expected:
		var value any
		decoder := json.NewDecoder(bytes.NewReader(body))
		decoder.UseNumber()
		if decoder.Decode(&value) == nil && !decoder.More() {
			v.value(nil, expected.Schema.Value, value)
		}
	}
}

// value validates the value at a path. Objects and lists are traversed here, because kin-openapi accepts unknown
// fields, and would collect any number of errors.
func (v *validation) value(path []string, schema *openapi3.Schema, value any) {
	if len(schema.AllOf) == 1 && value != nil && schema.AllOf[0].Value.Type.Is("string") { // An enum with a description of its own.
		schema = schema.AllOf[0].Value
	}
	object, isObject := value.(map[string]any)
	list, isList := value.([]any)
	switch {
	case schema.Type == nil && len(schema.OneOf)+len(schema.AnyOf)+len(schema.AllOf) == 0: // Any value.
	case isObject && schema.Type.Is("object"):
		for _, name := range slices.Sorted(maps.Keys(object)) {
			known := cmp.Or(schema.Properties[name], schema.AdditionalProperties.Schema)
			if known == nil {
				v.report(append(path, name), "unknown field", kindOf(object[name]))
			} else {
				v.value(append(path, name), known.Value, object[name])
			}
		}
		for _, name := range schema.Required {
			if _, found := object[name]; !found {
				v.report(append(path, name), "required", "")
			}
		}
	case isList && schema.Type.Is("array") && schema.MaxItems == nil:
		for i, item := range list {
			v.value(append(path, strconv.Itoa(i)), schema.Items.Value, item)
		}
	default:
		if fault, is := errors.AsType[*openapi3.SchemaError](schema.VisitJSON(value)); is {
			v.report(append(path, fault.JSONPointer()...), fault.SchemaField, kindOf(fault.Value))
		}
	}
}

func (v *validation) report(path []string, rule, kind string) {
	if v.found++; v.found > maxReported {
		return
	}
	pointer := ""
	for _, name := range path {
		name = strings.TrimPrefix(v.response.Redact("/"+name), "/") // It is redacted like a path parameter.
		pointer += "/" + escape.Replace(name)
	}
	v.handle(Drift{Pointer: pointer, Rule: rule, Found: kind})
}

// escape escapes a name for a JSON Pointer.
var escape = strings.NewReplacer("~", "~0", "/", "~1")

func kindOf(value any) string {
	switch value.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case []any:
		return "array"
	case map[string]any:
		return "object"
	}
	return "number"
}
