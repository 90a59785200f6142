package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

const opening = `# Licences

What the project's builds and tests pull in, on Linux, macOS and Windows. The list is written by

` + "```sh" + `
GOWORK=off go run -C tools ./licences -update
` + "```" + `

and the gate ` + "`licences`" + ` holds it against the code. Licences that ask no more than that their notice is passed on are let
through, and no others but these:

`

// page writes docs/licences.md. Each module stands under the part of the project that is nearest to a caller.
func page(modules []module) string {
	var b strings.Builder
	b.WriteString(opening)
	for _, path := range slices.Sorted(maps.Keys(spared)) {
		for id, reason := range spared[path] {
			fmt.Fprintf(&b, "- `%s`, %s: %s.\n", path, id, reason)
		}
	}
	b.WriteString("\n| Needed by | Module | Version | Licence |\n|---|---|---|---|\n")
	parts, _ := groups("")
	for _, m := range modules {
		fmt.Fprintf(&b, "| %s | `%s` | %s | %s |\n", parts[m.group].name, m.Path, m.Version, m.licence)
	}
	return b.String()
}

// differences prints the lines that have gone and those that have come, and reports whether there are any.
func differences(was, is string, out io.Writer) bool {
	before, after := strings.Split(was, "\n"), strings.Split(is, "\n")
	for _, line := range before {
		if !slices.Contains(after, line) {
			_, _ = fmt.Fprintln(out, "-", line)
		}
	}
	for _, line := range after {
		if !slices.Contains(before, line) {
			_, _ = fmt.Fprintln(out, "+", line)
		}
	}
	return was != is
}
