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

// Kind is a way of straying from the contract.
type Kind string

// The ways of straying. The public package repeats them.
const (
	UnknownMember Kind = "unknown member"
	UnknownValue  Kind = "unknown value"
	UnknownStatus Kind = "unknown status"
	Missing       Kind = "missing member"
	Null          Kind = "null"
	Type          Kind = "type"
	Unread        Kind = "unread"
)

// Drift is one place at which a response strays.
type Drift struct {
	Kind Kind
	// Pointer is a JSON Pointer.
	Pointer         string
	Expected, Found string
}

// Most is how many drifts of one response are told of one by one.
const Most = 100

// Report is what was found in a response.
type Report struct {
	Drifts []Drift
	// More is the number of drifts beyond those.
	More int
	// Body is the body without what cannot be read, which is noted in the records: see [scalar.SkippedKey]. It is the
	// body itself where everything can be read.
	Body []byte
}

func (r *Report) add(d Drift) {
	if len(r.Drifts) == Most {
		r.More++
		return
	}
	r.Drifts = append(r.Drifts, d)
}

// Check holds a response against the contract. It is linear in the size of the body. A body that is no JSON is not
// looked at: reading it fails, or tells what it says. Of an operation that the contract does not have, nothing is known.
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

// walk holds a body against its shape. Of a response of the graph area, there is more to know.
func walk(shape *Shape, body []byte, graph *graphResponse) Report {
	none := Report{Body: body}
	if shape == nil {
		return none
	}
	if len(bytes.TrimSpace(body)) == 0 {
		none.add(Drift{Type, "", shape.String(), "nothing"})
		return none
	}
	text, whole, err := reply.Unfold(body)
	if err != nil {
		return none
	}
	w := walker{raw: text, dec: jsontext.NewDecoder(bytes.NewBuffer(text), liberal...), graph: graph}
	w.value(shape, nil)
	w.report.Body = body
	if len(w.edits) > 0 {
		w.report.Body = whole(apply(text, w.edits))
	}
	return w.report
}

var liberal = []jsontext.Options{jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true)}
