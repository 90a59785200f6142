package main

import (
	"fmt"
	"go/types"
	"strings"
)

// structType has a line each for what callers can rely on or break with: exported fields, whether there are others, and
// whether values can be compared.
func (l lister) structType(head string, named *types.Named, under *types.Struct) []string {
	head += " struct"
	lines := []string{head}
	hidden := false
	for i := range under.NumFields() {
		field := under.Field(i)
		if !field.Exported() {
			hidden = true
			continue
		}
		line := head + ", " + field.Name() + " " + l.text(field.Type())
		if field.Embedded() {
			line = head + ", embedded " + l.text(field.Type())
		}
		if tag := under.Tag(i); tag != "" {
			line += " `" + tag + "`"
		}
		lines = append(lines, line)
	}
	if hidden {
		lines = append(lines, head+", unexported fields")
	}
	if types.Comparable(named) {
		lines = append(lines, head+", comparable")
	}
	return lines
}

// interfaceType has the whole set of methods in its first line: one more breaks who implements it.
func (l lister) interfaceType(head string, under *types.Interface) []string {
	if !under.IsMethodSet() {
		return []string{head + " " + l.text(under)}
	}
	var names, lines []string
	hidden := false
	for i := range under.NumMethods() {
		method := under.Method(i)
		if !method.Exported() {
			hidden = true
			continue
		}
		names = append(names, method.Name())
		lines = append(lines, fmt.Sprintf("%s interface, %s%s", head, method.Name(), l.signature(method.Signature())))
	}
	if hidden {
		names = append(names, "unexported methods")
	}
	return append(lines, fmt.Sprintf("%s interface { %s }", head, strings.Join(names, ", ")))
}

// signature writes parameters and results without their names.
func (l lister) signature(signature *types.Signature) string {
	parameters := l.tuple(signature.Params())
	if signature.Variadic() {
		last := len(parameters) - 1
		parameters[last] = "..." + strings.TrimPrefix(parameters[last], "[]")
	}
	text := "(" + strings.Join(parameters, ", ") + ")"
	switch results := l.tuple(signature.Results()); len(results) {
	case 0:
		return text
	case 1:
		return text + " " + results[0]
	default:
		return text + " (" + strings.Join(results, ", ") + ")"
	}
}

func (l lister) tuple(tuple *types.Tuple) []string {
	texts := make([]string, tuple.Len())
	for i := range texts {
		texts[i] = l.text(tuple.At(i).Type())
	}
	return texts
}

// parameters writes a list of type parameters.
func (l lister) parameters(list *types.TypeParamList) string {
	if list.Len() == 0 {
		return ""
	}
	texts := make([]string, list.Len())
	for i := range texts {
		texts[i] = list.At(i).Obj().Name() + " " + l.text(list.At(i).Constraint())
	}
	return "[" + strings.Join(texts, ", ") + "]"
}
