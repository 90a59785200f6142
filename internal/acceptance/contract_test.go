package acceptance

import (
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"

	"github.com/rpcfleet/rpcfleet-go"
)

// area is one OpenAPI file and everything that belongs to it.
type area struct {
	name   string
	file   string
	prefix string // The path that the area's server address ends with.
	table  []rpcfleet.Operation
	doc    *openapi3.T
	router routers.Router
}

var areas = []*area{
	load(&area{name: "admin", file: "../../openapi/admin.yaml"}),
	load(&area{name: "alerts", file: "../../openapi/alerts.yaml", prefix: "/alerts/rest/v1"}),
}

// formats of our own steer the Go types; to a validator they are plain text.
func init() {
	for _, format := range []string{"secret", "secret-url", "decimal", "loose-id"} {
		openapi3.DefineStringFormatValidator(format, openapi3.NewCallbackValidator(func(string) error { return nil }))
	}
}

// read reads a file. A schema without a type accepts null as well as anything else. Linters refuse an explicit null
// there, but the validator needs it.
func read(file string) (*openapi3.T, error) {
	doc, err := openapi3.NewLoader().LoadFromFile(file)
	if err != nil {
		return nil, err
	}
	for _, record := range doc.Components.Schemas {
		for _, property := range record.Value.Properties {
			property.Value.Nullable = property.Value.Nullable || isAnything(property.Value)
		}
	}
	return doc, nil
}

func isAnything(schema *openapi3.Schema) bool {
	return schema.Type == nil && len(schema.OneOf) == 0 && len(schema.AllOf) == 0
}

func load(a *area) *area {
	doc, err := read(a.file)
	if err != nil {
		panic(err)
	}
	doc.Servers = nil // Requests are matched by their paths, wherever the server listens.
	router, err := gorillamux.NewRouter(doc)
	if err != nil {
		panic(err)
	}
	a.doc, a.router = doc, router
	for _, op := range rpcfleet.Operations() {
		if op.Area == a.name {
			a.table = append(a.table, op)
		}
	}
	return a
}

// areaOf returns the area that a path belongs to, and the path inside it.
func areaOf(path string) (*area, string) {
	for _, a := range areas {
		if a.prefix != "" && strings.HasPrefix(path, a.prefix+"/") {
			return a, strings.TrimPrefix(path, a.prefix)
		}
	}
	if strings.HasPrefix(path, "/v0/") {
		return areas[0], path
	}
	return nil, ""
}

// operations calls f for every operation of every area.
func operations(f func(a *area, path, method string, op *openapi3.Operation)) {
	for _, a := range areas {
		for path, item := range a.doc.Paths.Map() {
			for method, op := range item.Operations() {
				f(a, path, method, op)
			}
		}
	}
}

// source returns the rank of a thing: if it has no mark, it is from the contract.
func source(extensions map[string]any) string {
	if rank, ok := extensions["x-source"].(string); ok {
		return rank
	}
	return "contract"
}
