package contract

import (
	"encoding/json"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/graphql"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// CheckGraph is Check for the graph area. If own is set, the query is the caller's and its data is not checked.
func CheckGraph(op *api.Operation, own bool, status int, body []byte) Report {
	good := status >= 200 && status <= 299
	if !good && status != http.StatusBadRequest {
		return check(op, status, nil, body, nil)
	}
	data := anyObject
	if good && !own {
		data = documented(op, status)
	}
	failed := errorsIn(body)
	return check(op, status, graphBody(data, good, len(failed) > 0), body, failed)
}

// graphBody returns the shape of a body around its data, as the GraphQL specification defines it. An empty list of
// errors, and null errors or extensions, count as absent and are accepted.
func graphBody(data *Shape, good, failed bool) *Shape {
	return &Shape{Kinds: "{", Fields: []Field{
		{"data", good && !failed, data},
		{"errors", !good, graphErrors},
		{"extensions", false, &Shape{Kinds: "{", Nullable: true, Reads: readsAny}},
	}}
}

var (
	anyObject   = &Shape{Kinds: "{", Reads: readsAny}
	graphErrors = &Shape{Kinds: "[", Nullable: true, Items: &Shape{Kinds: "{", Envelope: true, Fields: []Field{
		{"extensions", false, &Shape{Kinds: "{", Nullable: true, Reads: readsAny}},
		{"locations", false, &Shape{Kinds: "[", Nullable: true}},
		{"message", true, &text},
		{"path", false, &Shape{Kinds: "[", Nullable: true}},
	}}}
)

func readsAny([]byte) bool { return true }

// failedFields are the JSON Pointers of the fields with errors in a response of the graph area, sorted; nil in other
// areas. GraphQL names need no escaping and contain neither dots nor characters that sort before a slash.
type failedFields []string

// errorsIn reads the errors of a body.
func errorsIn(body []byte) failedFields {
	failed := failedFields{}
	for _, stated := range graphql.Errors("", body) {
		failed = append(failed, "/data/"+strings.ReplaceAll(stated.Path, ".", "/"))
	}
	slices.Sort(failed)
	return failed
}

// explain reports whether an error of the response is the reason for a null: an error about the null field, or about a
// field inside it, since nulls propagate upwards. Any error explains null data.
func (f failedFields) explain(path []byte) bool {
	place := string(path)
	i, exact := slices.BinarySearch(f, place)
	return exact || i < len(f) && strings.HasPrefix(f[i], place+"/")
}

// The shapes of the graph area are derived from the Go types that genqlient generates from the schema: pointers, lists,
// interfaces and raw JSON are nullable, and every field of a query is required.

// graphResponses returns the shapes of the data in successful responses.
func graphResponses() []response {
	var all []response
	shapes := graphShapes{
		reflect.TypeFor[scalar.BigInt]():   {Kinds: `0"`, Format: "BigInt", Integer: true, Reads: reads[scalar.BigInt]},
		reflect.TypeFor[scalar.Time]():     {Kinds: `"`, Format: "DateTime", Reads: reads[scalar.Time]},
		reflect.TypeFor[int]():             {Kinds: "0", Integer: true, Reads: reads[int]},
		reflect.TypeFor[float64]():         {Kinds: "0", Reads: reads[float64]},
		reflect.TypeFor[bool]():            {Kinds: "t", Reads: reads[bool]},
		reflect.TypeFor[json.RawMessage](): nil,
	}
	for _, q := range graphql.Queries {
		data, _ := reflect.TypeOf(q).MethodByName("Response")
		all = append(all, response{q.Operation().ID, 200, shapes.of(data.Type.Out(0).Elem())})
	}
	return all
}

// identities are the fields that identify an item. A record is useless if one that the schema requires is missing.
var identities = []string{
	"__typename", "address", "contractAddress", "collectionAddress", "cursor", "hash", "tokenId", "transactionHash",
}

// graphShapes maps Go types to their shapes.
type graphShapes map[reflect.Type]*Shape

// of returns the shape of a type.
func (g graphShapes) of(t reflect.Type) *Shape {
	shape, known := g[t]
	if !known {
		shape = g.make(t)
		g[t] = shape
	}
	return shape
}

func (g graphShapes) make(t reflect.Type) *Shape {
	switch t.Kind() {
	case reflect.Pointer:
		return nullable(g.of(t.Elem()))
	case reflect.Slice:
		return &Shape{Kinds: "[", Nullable: true, Items: g.of(t.Elem())}
	case reflect.Interface:
		return g.variants(graphql.Variants[t])
	case reflect.String:
		return &Shape{Kinds: `"`, Enum: valuesOf(t), Reads: reads[string]}
	}
	if node, is := reflect.New(t).Interface().(interface{ Node() reflect.Type }); is {
		return connection(g.of(node.Node()))
	}
	return g.object(t)
}

// nullable returns a shape that may be null.
func nullable(shape *Shape) *Shape {
	if shape == nil {
		return nil
	}
	also := *shape
	also.Nullable = true
	return &also
}

// object returns the shape of a struct. An unnamed struct is not a record, so no value can be left out of it. If the
// struct may be of several types, some of its fields may belong to another type.
func (g graphShapes) object(t reflect.Type) *Shape {
	envelope := t.Name() == "" || strings.HasSuffix(t.Name(), "Response")
	shape := &Shape{Kinds: "{", Envelope: envelope, Variants: map[string][]Field{}}
	var types []string
	if typename, is := t.FieldByName("Typename"); is {
		types = strings.Fields(typename.Tag.Get("types"))
	}
	for field := range t.Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "-" || strings.HasPrefix(name, "$") {
			continue
		}
		of, having := g.field(field, name), strings.Fields(field.Tag.Get("of"))
		shape.Fields = append(shape.Fields, Field{name, len(having) == 0, of})
		for _, typename := range types {
			if len(having) == 0 || slices.Contains(having, typename) {
				shape.Variants[typename] = append(shape.Variants[typename], Field{name, true, of})
			}
		}
	}
	slices.SortFunc(shape.Fields, byName)
	for _, fields := range shape.Variants {
		slices.SortFunc(fields, byName)
	}
	return shape
}

// field returns the shape of a field.
func (g graphShapes) field(field reflect.StructField, name string) *Shape {
	of, types := g.of(field.Type), field.Tag.Get("types")
	switch {
	case field.Type.Kind() == reflect.Interface:
		return nullable(of)
	case field.Tag.Get("null") == "no":
		return g.of(field.Type.Elem())
	case types != "":
		return &Shape{Kinds: `"`, Identity: true, Enum: strings.Fields(types), Reads: reads[string]}
	case name == "metadata":
		return &Shape{Kinds: "{", Nullable: true, Reads: readsAny} // The one JSON value that is an object.
	case of != nil && !of.Nullable && slices.Contains(identities, name):
		identity := *of
		identity.Identity = true
		return &identity
	}
	return of
}

func byName(a, b Field) int { return strings.Compare(a.Name, b.Name) }

// variants returns the shape of an interface. An object of an unknown type, or without a type, must have the fields
// that all types share, and may have others.
func (g graphShapes) variants(types map[string]any) *Shape {
	names := slices.Sorted(maps.Keys(types))[1:] // The first one is empty.
	common := g.of(reflect.TypeOf(types[""])).Fields
	shape := &Shape{Kinds: "{", Fields: slices.Clone(common), Variants: map[string][]Field{}}
	for _, name := range names {
		fields := slices.Clone(g.of(reflect.TypeOf(types[name])).Fields)
		for i := range fields {
			if fields[i].Name == "__typename" {
				typename := *fields[i].Shape
				typename.Enum = names
				fields[i].Shape = &typename
			}
			j, known := fieldNamed(shape.Fields, fields[i].Name)
			if !known {
				shape.Fields = slices.Insert(shape.Fields, j, Field{fields[i].Name, false, fields[i].Shape})
			}
			shape.Fields[j].Shape = fields[i].Shape
		}
		shape.Variants[name] = fields
	}
	return shape
}

// valuesOf returns the values of an enum, or nil if the type is not an enum.
func valuesOf(t reflect.Type) []string {
	values, is := t.MethodByName("Values")
	if !is {
		return nil
	}
	var texts []string
	for _, value := range values.Func.Call([]reflect.Value{reflect.Zero(t)})[0].Seq2() {
		texts = append(texts, value.String())
	}
	return texts
}

// connection returns the shape of a page of nodes. The objects around the nodes are not records, but the total may be
// missing.
func connection(node *Shape) *Shape {
	edge := &Shape{Kinds: "{", Envelope: true, Fields: []Field{{"cursor", true, edgeCursor}, {"node", true, node}}}
	return &Shape{Kinds: "{", Fields: []Field{
		{"edges", true, &Shape{Kinds: "[", Items: edge}},
		{"pageInfo", true, pageInfo},
		{"totalCount", true, totalCount},
	}}
}

// The parts of a page that all connections share.
var (
	edgeCursor = &Shape{Kinds: `"`, Identity: true, Reads: reads[string]}
	pageCursor = nullable(&text)
	hasPage    = &Shape{Kinds: "t", Reads: reads[bool]}
	pageInfo   = &Shape{Kinds: "{", Envelope: true, Fields: []Field{
		{"endCursor", true, pageCursor}, {"hasNextPage", true, hasPage},
		{"hasPreviousPage", true, hasPage}, {"startCursor", true, pageCursor},
	}}
	totalCount = &Shape{Kinds: "0", Nullable: true, Integer: true, Reads: reads[int]}
)
