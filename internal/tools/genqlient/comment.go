package main

import (
	"fmt"
	"regexp"
	"strings"
)

// fieldName matches the name of a field in a description.
var fieldName = regexp.MustCompile("`(\\w+)`")

// goWords are the Go words for words of the schema.
var goWords = strings.NewReplacer("`", `"`, " null ", " nil ", " null,", " nil,", " null.", " nil.", " Null ", " Nil ")

// comment returns a Go comment from a description of the schema, with Go's names: "The price, without `fees`." becomes
// "Price is the price, without Fees." A description that begins with a verb, such as "Selects", follows the name.
func comment(name, verb, description string) string {
	if description == "" {
		return ""
	}
	description = fieldName.ReplaceAllStringFunc(description, func(quoted string) string {
		return goName(strings.ToUpper(quoted[1:2]) + strings.Trim(quoted[2:], "`"))
	})
	if first, _, _ := strings.Cut(description, " "); strings.HasSuffix(first, "s") {
		verb = ""
	}
	words := strings.Fields(name + " " + verb + " " + strings.ToLower(description[:1]) + description[1:])
	text, size := "//", len("//")
	for _, word := range words {
		if size += len(" ") + len(word); size > 120-len("\t") {
			text, size = text+"\n//", len("// ")+len(word)
		}
		text += " " + word
	}
	return goWords.Replace(text)
}

// plain returns a comment of the generator without its slashes.
func plain(comment string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(comment, "// ", " ")), " ")
}

// Comment returns the comment of a type. A type of an interface is explained by the schema.
func (r record) Comment() string {
	switch {
	case r.Kind == "unknown":
		return comment(r.Name, "is", fmt.Sprintf("Any other [%s], of a type that is newer than this version. Raw is the "+
			"whole record, as the service sent it.", r.Interface))
	case r.Interface != "":
		return comment(r.Name, "is", fmt.Sprintf("%s The methods of [%s] explain the fields without a comment.", r.Doc, r.Interface))
	case r.Kind == "input" || r.Kind == "enum":
		return comment(r.Name, "is", r.Doc)
	}
	name, rest, _ := strings.Cut(r.Doc, " ") // A fragment's comment begins with its name.
	return comment(name, "", rest)
}

// Comment returns the comment of a field or a constant.
func (f field) Comment() string {
	if strings.HasPrefix(f.Type, "[]") {
		return comment(f.Name, "are", f.Doc)
	}
	return comment(f.Name, "is", f.Doc)
}

// Getter returns the comment of the field's method in an interface.
func (f field) Getter() string { return comment("Get"+f.Name, "returns", f.Doc) }
