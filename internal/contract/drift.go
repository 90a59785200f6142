package contract

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/reply"
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
	var r Report
	if len(op.Statuses) == 0 {
		return Report{Body: body}
	}
	if !slices.Contains(op.Statuses, status) {
		r.add(Drift{UnknownStatus, "", statuses(op), strconv.Itoa(status)})
	}
	walked := walk(documented(op, status), body, nil)
	walked.Drifts = append(r.Drifts, walked.Drifts...)
	return walked
}

func statuses(op *api.Operation) string {
	var texts []string
	for _, status := range op.Statuses {
		texts = append(texts, strconv.Itoa(status))
	}
	return strings.Join(texts, ", ")
}

// walk compares a body with its shape. graph is nil outside the graph area.
func walk(shape *Shape, body []byte, graph *graphResponse) Report {
	none := Report{Body: body}
	if shape == nil {
		return none
	}
	text, _ := reply.Text(body)
	text = bytes.TrimSpace(text)
	if len(text) == 0 {
		none.add(Drift{Type, "", shape.String(), "nothing"})
		return none
	}
	if !jsontext.Value(text).IsValid(lenient...) {
		return none
	}
	w := walker{raw: text, dec: jsontext.NewDecoder(bytes.NewBuffer(text), lenient...), graph: graph}
	w.value(shape, nil)
	w.report.Body = body
	if len(w.edits) > 0 {
		w.report.Body = apply(text, w.edits)
	}
	return w.report
}

var lenient = []jsontext.Options{jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true)}
