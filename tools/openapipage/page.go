package main

import (
	_ "embed"
	"html/template"
	"strings"
)

//go:embed page.html
var text string

var page = template.Must(template.New("page").Funcs(template.FuncMap{
	"lower": strings.ToLower,
	"join":  strings.Join,
}).Parse(text))
