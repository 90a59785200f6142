// Operations writes the table of operations into docs/operations.md from the generated tables.
package main

import (
	"bytes"
	"fmt"
	"log"
	"os"
	"slices"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/graphql"
)

const (
	begin = "<!-- operations: written by go generate -->\n"
	end   = "<!-- end of operations -->"
)

func main() {
	if err := rewrite("docs/operations.md"); err != nil {
		log.Fatal("operations: ", err)
	}
}

// rewrite puts the table into a page.
func rewrite(file string) error {
	page, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	before, rest, found := bytes.Cut(page, []byte(begin))
	_, after, closed := bytes.Cut(rest, []byte(end))
	if !found || !closed {
		return fmt.Errorf("%s has no markers for the table of operations", file)
	}
	var out bytes.Buffer
	out.Write(before)
	out.WriteString(begin)
	out.WriteString(table(slices.Concat(api.Admin, api.Alerts, api.Webhooks, api.KeyValue, api.Streams, graphql.Table())))
	out.WriteString(end)
	out.Write(after)
	return os.WriteFile(file, out.Bytes(), 0o644)
}

// table lists the operations by service, in the order of the contract.
func table(operations []*api.Operation) string {
	var out strings.Builder
	out.WriteString("| Service | Operation | Request | Statuses | Source | Retried |\n|---|---|---|---|---|---|\n")
	slices.SortStableFunc(operations, func(a, b *api.Operation) int { return strings.Compare(a.Tag, b.Tag) })
	for _, op := range operations {
		again := "yes"
		if !op.Idempotent {
			again = "only if not executed"
		}
		note := ""
		if op.Deprecated {
			note = " (deprecated)"
		}
		path := api.Prefixes[op.Area] + op.Path
		statuses := strings.Trim(fmt.Sprint(op.Statuses), "[]")
		fmt.Fprintf(&out, "| %s | %s%s | `%s %s` | %s | %s | %s |\n", op.Tag, op.ID, note, op.Method, path, statuses, op.Source, again)
	}
	return out.String()
}
