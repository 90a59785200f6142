package api

import (
	"net/url"
	"strconv"
	"strings"
	"sync"
)

// fillPath returns the escaped path of a template with values for its parameters.
func fillPath(template string, values []string) string {
	if len(values) == 0 {
		return template
	}
	var text strings.Builder
	text.Grow(len(template) + 32*len(values)) // Ids are mostly shorter.
	for _, value := range values {
		literal, after, _ := strings.Cut(template, "{")
		text.WriteString(literal)
		text.WriteString(url.PathEscape(value))
		_, template, _ = strings.Cut(after, "}")
	}
	text.WriteString(template)
	return text.String()
}

func number(value int64) string { return strconv.FormatInt(value, 10) }

// checkPath checks path parameters. Escaping does not help for the values that it rejects: empty values and dot
// segments are resolved away. A value that is a fixed part of another path is routed to the other operation: the id
// "tags" would turn getEndpoint into listTags.
func checkPath(op *Operation, values []string) *Violation {
	for i, value := range values {
		switch {
		case value == "":
			return &Violation{Field: parameterName(op, i), Rule: "must not be empty", Always: true}
		case value == "." || value == "..":
			return &Violation{Field: parameterName(op, i), Rule: "must not be a dot segment", Value: value, Always: true}
		case fixedParts()[value]:
			for _, rival := range Areas[op.Area] {
				if at := taken(op, values, rival); at >= 0 {
					rule := "must not be a fixed part of the path of " + rival.ID
					return &Violation{Field: parameterName(op, at), Rule: rule, Value: values[at], Always: true}
				}
			}
		}
	}
	return nil
}

// taken returns the index of the path parameter that makes routers prefer the rival operation, or -1. If a path matches
// two templates, routers prefer the template with a fixed part at the first difference. A rival with another method
// does not count: at worst the router rejects the request.
func taken(op *Operation, values []string, rival *Operation) int {
	own, other := parts(op.Path), parts(rival.Path)
	if rival.Method != op.Method || len(own) != len(other) {
		return -1
	}
	at, parameters := -1, 0
	for i, part := range own {
		isParameter := strings.HasPrefix(part, "{")
		if isParameter {
			part = values[parameters]
			parameters++
		}
		switch fixed := !strings.HasPrefix(other[i], "{"); {
		case fixed && other[i] != part, !fixed && !isParameter && at < 0:
			return -1
		case fixed && isParameter && at < 0:
			at = parameters - 1
		}
	}
	return at
}

// fixedParts returns all fixed parts of paths. Only these values of a path parameter can divert a request.
var fixedParts = sync.OnceValue(func() map[string]bool {
	fixed := map[string]bool{}
	for _, table := range Areas {
		for _, op := range table {
			for _, part := range parts(op.Path) {
				fixed[part] = true
			}
		}
	}
	return fixed
})

// parts returns the segments of a template. A trailing slash is ignored, as in many routers.
func parts(template string) []string { return strings.Split(strings.Trim(template, "/"), "/") }

// parameterName returns the name of a path parameter in the operation's template.
func parameterName(op *Operation, i int) string {
	name, _, _ := strings.Cut(strings.Split(op.Path, "{")[i+1], "}")
	return name
}
