package main

import (
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
)

// marker is the line of docs/faults.md below which this program writes. A test of package acceptance writes the part
// above it.
const marker = "<!-- twice: written by go run ./internal/benchmarks/twice -page docs/faults.md -->\n"

// write replaces the part of a page below the marker.
func write(file, text string) error {
	page, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	before, _, found := strings.Cut(string(page), marker)
	if !found {
		return errors.New(file + " has no marker for the tables")
	}
	return os.WriteFile(file, []byte(before+marker+text), 0o644)
}

// text returns the tables in Markdown.
func text(rows []row) string {
	return fmt.Sprintf(`
## Creates, beside other clients

Written by `+"`go run ./internal/benchmarks/twice -page docs/faults.md`"+`. Each client makes creates, POST requests with a body and
without one, over HTTP/1.1, HTTP/1.1 over TLS and HTTP/2, to a server that loses the response in every way that package
faultnet has. Each is used as its documentation says, with the retries that it makes by default. A request may take
%v, a call %v. "Executed" is how many requests of a call arrived to their end.

How many creates were executed more than once, when one response got lost and all others arrived; and how often a
create was executed at most, when up to %d responses in a row got lost:

%s
What the caller was told, when one response got lost:

%s
- Where a success was executed once, the first request did not arrive to its end, which the client cannot know: the
  repetition was right by luck. Besides, aws-sdk-go-v2 takes a body that nobody can read for the result of what it has
  invoked.
- The errors of rpcfleet that do not say that the outcome is unknown are those of the status 425, with which a service
  refuses a request that it has not looked at. The server here counts it all the same.
- net/http of Go 1.26 itself repeats a request after `+"`RST_STREAM(PROTOCOL_ERROR)`"+`, at once and for as long as the call may
  take; net/http of Go 1.27 does not. The clients above it do so as well.
- stripe-go sends the same Idempotency-Key with every repetition, by which its own service executes a request
  once. No operation of the service of rpcfleet takes one, and the server here counts requests.
`, patience, outage, many, twiceTable(rows), toldTable(rows))
}

func twiceTable(rows []row) string {
	heads := []string{"client"}
	for i, kind := range kinds {
		heads = append(heads, fmt.Sprintf("%s, of %d", kind.title, rows[0].calls[i]))
	}
	heads = append(heads, fmt.Sprintf("all, of %d", sum(rows[0].calls)), "at most, HTTP/1.1", "at most, HTTP/2")
	return table(heads, rows, func(r row) (cells []string) {
		for _, n := range append(r.twice, sum(r.twice)) {
			cells = append(cells, strconv.Itoa(n))
		}
		return append(cells, atMost(r.most1), atMost(r.most2))
	})
}

func toldTable(rows []row) string {
	heads := []string{
		"client", "success, executed once", "success, executed more than once",
		"an error that says the outcome is unknown",
		"another error, executed", "another error, not executed",
	}
	return table(heads, rows, func(r row) (cells []string) {
		for _, n := range r.told {
			cells = append(cells, strconv.Itoa(n))
		}
		return cells
	})
}

func table(heads []string, rows []row, cells func(row) []string) string {
	text := "| " + strings.Join(heads, " | ") + " |\n| ---" + strings.Repeat(" | ---:", len(heads)-1) + " |\n"
	for _, r := range rows {
		text += "| " + strings.Join(append([]string{r.title()}, cells(r)...), " | ") + " |\n"
	}
	return text
}

// title returns the name with the version, which only a built program contains.
func (c contestant) title() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return c.name
	}
	for _, module := range info.Deps {
		if module.Path == c.module {
			return c.name + " " + module.Version
		}
	}
	return c.name
}

// atMost returns a count, unless the end of the lost responses has bounded it.
func atMost(n int) string {
	if n > many {
		return fmt.Sprintf("more than %d", many)
	}
	return strconv.Itoa(n)
}

func sum(counts []int) (n int) {
	for _, count := range counts {
		n += count
	}
	return n
}
