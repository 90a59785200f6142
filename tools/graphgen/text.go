package main

import (
	"bytes"
	"embed"
	"fmt"
	"go/format"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"text/template"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/formatter"
)

//go:embed *.tmpl
var files embed.FS

var templates = template.Must(template.New("").Funcs(template.FuncMap{
	"name":     goName,
	"value":    valueName,
	"variable": variable,
	// The record for the types that an interface has no other one for.
	"unknown": func(of record) record { return record{Name: of.Name + "Unknown", Fields: of.Fields, Implements: &of} },
	// Inside package graph its types have no prefix.
	"bare": func(goType string) string { return strings.ReplaceAll(goType, "graph.", "") },
	"raw":  func(text string) string { return "`" + strings.ReplaceAll(text, "`", "` + \"`\" + `") + "`" },
}).ParseFS(files, "*.tmpl"))

// write makes a file with a template, which leaves a place for the imports that its code needs.
func (g *generator) write(name string) ([]byte, error) {
	var body bytes.Buffer
	if err := templates.ExecuteTemplate(&body, name, g); err != nil {
		return nil, err
	}
	var imports bytes.Buffer
	for _, outside := range []bool{false, true} { // The standard library first.
		for _, imported := range slices.Sorted(maps.Keys(g.Imports)) {
			if strings.Contains(imported, ".") == outside && bytes.Contains(body.Bytes(), []byte(path.Base(imported)+".")) {
				fmt.Fprintf(&imports, "%q\n", imported)
			}
		}
		imports.WriteByte('\n')
	}
	return format.Source(bytes.Replace(body.Bytes(), []byte("IMPORTS"), imports.Bytes(), 1))
}

// variable is the name of the parameter that a variable, or the window of a listing, is given in.
func variable(of field) string {
	if of.JSON == "" {
		return strings.ToLower(of.Type)
	}
	return strings.TrimSuffix(of.JSON, ",omitzero")
}

// written returns a document in the syntax of GraphQL.
func written(document *ast.QueryDocument) string {
	var text bytes.Buffer
	formatter.NewFormatter(&text).FormatQueryDocument(document)
	return text.String()
}

var spread = regexp.MustCompile(`\.\.\. (\w+)`)

// fragmentsIn adds the names of the fragments that a document needs.
func (g *generator) fragmentsIn(document string, names []string) []string {
	for _, match := range spread.FindAllStringSubmatch(document, -1) {
		if text, found := g.Documents[match[1]]; found && !slices.Contains(names, match[1]) {
			names = g.fragmentsIn(text, append(names, match[1]))
		}
	}
	return names
}

// comment returns the comment above a definition, which becomes that of its Go code. The name must be one for Go.
func (g *generator) comment(name string, group *ast.CommentGroup, at *ast.Position) string {
	var lines []string
	if group != nil {
		for _, line := range group.List {
			lines = append(lines, strings.TrimSpace(line.Text()))
		}
	}
	if len(lines) == 0 || name == "" || goName(name) != name {
		g.refuse(at, "%q needs a comment, and a name as Go spells exported ones", name)
	}
	return strings.Join(lines, " ")
}

// initialisms are the abbreviations that a schema writes like words, and how they end.
var initialisms = regexp.MustCompile(`(Abi|Ens|Erc|Id|Nft|Nfts|Ohlcv|Uri|Url)([A-Z0-9]|$)`)

// goName returns the exported Go name for a name of the schema, with its initialisms in capitals.
func goName(name string) string {
	name = strings.TrimLeft(name, "_")
	for before := ""; before != name; { // What a match ends with may begin another.
		before = name
		name = strings.ToUpper(name[:1]) + name[1:]
		name = initialisms.ReplaceAllStringFunc(name, func(match string) string {
			if many, ok := strings.CutPrefix(match, "Nfts"); ok {
				return "NFTs" + many
			}
			return strings.ToUpper(match)
		})
	}
	return name
}

// valueName returns the Go name of an enum's value: NIFTY_GATEWAY becomes NiftyGateway, and ERC721 stays.
func valueName(enum, value string) string {
	name := goName(enum)
	for word := range strings.SplitSeq(value, "_") {
		if word != "" && !strings.ContainsAny(word, "0123456789") {
			word = word[:1] + strings.ToLower(word[1:])
		}
		name += word
	}
	return name
}
