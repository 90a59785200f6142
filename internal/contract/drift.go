package contract

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/reply"
	"github.com/rpcfleet/rpcfleet-go/internal/scan"
)

// The kinds of difference from the contract. The root package exports them.
const (
	UnknownField  = "unknown field"
	UnknownValue  = "unknown value"
	UnknownStatus = "unknown status"
	Missing       = "missing field"
	Null          = "null"
	Type          = "type"
	Unread        = "unread"
)

// Drift is one difference between a response and the contract.
type Drift struct {
	Kind string
	// Pointer is a JSON Pointer.
	Pointer         string
	Expected, Found string
}

// MaxDrifts is the maximum number of drifts that a report lists.
const MaxDrifts = 100

// Report is the result of a check.
type Report struct {
	Drifts []Drift
	// More is the number of drifts that are not listed.
	More int
	// Body is the body without unreadable values, which the records keep as described at [scalar.SkippedKey]. It is the
	// original body if everything is readable.
	Body []byte
}

func (r *Report) add(d Drift) {
	if len(r.Drifts) == MaxDrifts {
		r.More++
		return
	}
	r.Drifts = append(r.Drifts, d)
}

// Check compares a response with the contract, in time linear in the size of the body. It ignores bodies that are not
// JSON, since decoding them fails anyway, and operations that the contract does not contain.
func Check(op *api.Operation, status int, body []byte) Report {
	if len(op.Statuses) == 0 {
		return Report{Body: body}
	}
	return check(op, status, documented(op, status), body, nil)
}

// check compares the status with the contract, and the body with its shape.
func check(op *api.Operation, status int, shape *Shape, body []byte, graph failedFields) Report {
	r := Report{Body: body}
	if !slices.Contains(op.Statuses, status) {
		r.add(Drift{UnknownStatus, "", statuses(op), strconv.Itoa(status)})
	}
	return walk(r, shape, graph)
}

func statuses(op *api.Operation) string {
	var texts []string
	for _, status := range op.Statuses {
		texts = append(texts, strconv.Itoa(status))
	}
	return strings.Join(texts, ", ")
}

// walk compares the body of a report with its shape.
func walk(r Report, shape *Shape, graph failedFields) Report {
	raw, _ := reply.Text(r.Body)
	raw = bytes.TrimSpace(raw)
	switch {
	case shape == nil:
	case len(raw) == 0:
		r.add(Drift{Type, "", shape.String(), "nothing"})
	case jsontext.Value(raw).IsValid(scan.Lenient):
		w := walker{raw: raw, dec: jsontext.NewDecoder(bytes.NewBuffer(raw), scan.Lenient), graph: graph, report: r}
		w.value(shape, nil)
		if len(w.edits) > 0 {
			w.report.Body = apply(raw, w.edits)
		}
		return w.report
	}
	return r
}
