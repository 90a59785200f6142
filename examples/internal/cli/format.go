package cli

import (
	"fmt"
	"slices"
	"strings"
)

// Format is how a program writes what it has found.
type Format string

// The formats.
const (
	FormatTable Format = "table"
	FormatJSON  Format = "json"
	FormatCSV   Format = "csv"
)

// Format adds the flag -o, which takes one of the formats. The first of them is the default.
func (f *Flags) Format(formats ...Format) *Format {
	choice := &choice{formats[0], formats}
	f.Var(choice, "o", "the `format` of the output: "+choice.names())
	return &choice.Format
}

// choice is the value of the flag.
type choice struct {
	Format
	formats []Format
}

func (c *choice) String() string { return string(c.Format) }

func (c *choice) Set(text string) error {
	if !slices.Contains(c.formats, Format(text)) {
		return fmt.Errorf("must be %s", c.names())
	}
	c.Format = Format(text)
	return nil
}

func (c *choice) names() string {
	names := make([]string, len(c.formats))
	for i, format := range c.formats {
		names[i] = string(format)
	}
	if len(names) == 1 {
		return names[0]
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}
