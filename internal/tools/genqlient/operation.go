package main

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// onType matches the types of a query's own selections.
var onType = regexp.MustCompile(`\.\.\. on (\w+) \{`)

// Operations returns the queries.
func (c *code) Operations() (all []operation, _ error) {
	for _, o := range c.operations {
		o.describe()
		o.Paged, o.Wallet = strings.Contains(o.Document, "$after"), strings.Contains(o.Document, "$wallet")
		o.Variables = slices.DeleteFunc(c.fields("__"+o.Name+"Input"), func(f field) bool {
			return slices.Contains([]string{"First", "After", "Last", "Before"}, f.Name)
		})
		outer := false
		for at := o.Name + "Response"; o.Result == ""; {
			var next field
			for _, f := range c.fields(at) { // An object on the path has one field, or a list and a single record.
				switch {
				case f.JSON == "__typename":
				case next.JSON == "":
					next = f
				case strings.HasPrefix(f.Type, "*List["):
					next, o.Single = f, next.JSON
				default:
					o.Single = f.JSON
				}
			}
			o.Path = append(o.Path, next.JSON)
			o.Result, o.Nullable = next.Type, o.Nullable || outer && strings.HasPrefix(next.Type, "[]")
			at, outer = strings.CutPrefix(c.text(next.of), "*")
		}
		if o.Single != "" && !o.Paged {
			return nil, fmt.Errorf("%s has several results", o.Name)
		}
		o.Read = c.read(o.Result, "into")
		o.ReadSingle = strings.Replace(o.Read, "readList", "readSingle", 1)
		own, _, _ := strings.Cut(o.Document, " fragment ")
		for _, match := range onType.FindAllStringSubmatch(own, -1) {
			o.OnTypes = append(o.OnTypes, match[1])
		}
		all = append(all, o)
	}
	return all, nil
}

// Methods returns the queries with a generated method, by its name.
func (c *code) Methods() ([]operation, error) {
	all, err := c.Operations()
	slices.SortFunc(all, func(a, b operation) int { return strings.Compare(a.Method, b.Method) })
	return slices.DeleteFunc(all, func(o operation) bool { return o.Method == "" }), err
}

// describe reads the comment. It begins with the name of the method, or of the query if the method is written by hand.
func (o *operation) describe() {
	o.Source = "observed"
	var doc []string
	for line := range strings.Lines(o.Doc) {
		line = strings.TrimSpace(line)
		if source, is := strings.CutPrefix(line, "// Source: "); is {
			o.Source = source
		} else if params, is := strings.CutPrefix(line, "// Params: "); is {
			o.Params = params
		} else if strings.HasPrefix(line, "// Null: ") {
			o.Nullable = true
		} else {
			doc = append(doc, line)
		}
	}
	o.Doc = strings.Join(doc, "\n")
	if name := strings.Fields(o.Doc)[1]; name != o.Name {
		o.Method = name
	}
}

// Signature returns the parameters and results of the method: the variables in the order of the query.
func (o operation) Signature() string {
	parameters, result := []string{"chain graph.Chain"}, fmt.Sprintf("(%s, error)", o.Result)
	if o.Paged {
		result = "*Connection[" + strings.TrimSuffix(strings.TrimPrefix(o.Result, "*List["), "]") + "]"
	} else {
		parameters = slices.Insert(parameters, 0, "ctx context.Context")
	}
	for _, v := range o.Variables {
		switch name := o.argument(v); {
		case v.JSON == "tokenID":
			parameters = append(parameters, name+" scalar.BigInt")
		case v.Type == "string":
			last := len(parameters) - 1
			parameters[last] = strings.TrimSuffix(parameters[last], " string") // One type is enough for two of them.
			parameters = append(parameters, name+" string")
		case o.Params == "":
			parameters = append(parameters, name+" "+strings.TrimPrefix(v.Type, "*"))
		}
	}
	if o.Params != "" {
		parameters = append(parameters, "params graph."+o.Params)
	}
	return fmt.Sprintf("func (s *GraphService) %s(%s,\n\topts ...CallOption) %s", o.Method, strings.Join(parameters, ", "), result)
}

// argument returns the name of the parameter for a variable.
func (o operation) argument(v field) string {
	name, _, _ := strings.Cut(v.JSON, ",")
	if strings.HasSuffix(name, "Address") {
		return "address"
	}
	return name
}

// Literal returns the query with its variables.
func (o operation) Literal() string {
	var values []string
	for _, v := range o.Variables {
		value := o.argument(v)
		switch {
		case v.JSON == "tokenID":
			value += ".String()"
		case v.Type == "string":
		case o.Params != "":
			value = "params." + v.Name
		default:
			value = "filterOrNil(" + value + ")"
		}
		values = append(values, v.Name+": "+value)
	}
	return fmt.Sprintf("&graphql.%s{%s}", o.Name, strings.Join(values, ", "))
}

// Checks returns the checks of the arguments, each after a comma.
func (o operation) Checks() (text string) {
	for _, v := range o.Variables {
		switch name := o.argument(v); {
		case v.JSON == "tokenID":
			text += `, notNegative("tokenId", tokenID)`
		case v.JSON == "wallet":
			text += `, walletID("wallet", wallet)`
		case v.Type == "string":
			text += fmt.Sprintf(", required(%q, %s)", v.JSON, name)
		}
	}
	return text
}

// read returns a statement that reads a value of a type into a place.
func (c *code) read(t, into string) string {
	inner := strings.TrimLeft(t, "*[]")
	reader := c.reader(inner)
	isRecord := strings.HasPrefix(reader, "read")
	switch {
	case strings.HasPrefix(t, "*List["):
		return fmt.Sprintf("readList(s, %s, %s)", into, c.reader(strings.TrimSuffix(strings.TrimPrefix(inner, "List["), "]")))
	case strings.HasPrefix(t, "*"):
		return fmt.Sprintf("api.ReadOptional(s, %s, %s)", into, reader)
	case strings.HasPrefix(t, "[]"):
		return fmt.Sprintf("api.ReadList(s, %s, %s)", into, reader)
	case isRecord && !c.isInterface(t):
		return fmt.Sprintf("api.ReadStruct(s, %s, %s)", into, reader)
	}
	return fmt.Sprintf("%s(s, %s)", reader, into)
}

// readers read the types that are not generated. Any other one is a text.
var readers = map[string]string{"int": "api.ReadInt", "float64": "api.ReadFloat", "bool": "api.ReadBool",
	"json.RawMessage": "api.ReadJSON", "scalar.BigInt": "api.ReadScalar", "time.Time": "api.ReadScalar"}

// reader returns the function that reads a value of a type.
func (c *code) reader(t string) string {
	name := strings.TrimPrefix(t, c.Package)
	if r := c.types[name]; r != nil && r.Kind != "enum" {
		return "read" + name
	}
	return cmp.Or(readers[t], "api.ReadText")
}
