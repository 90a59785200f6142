package contract

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/graphql"
)

// CheckGraph is Check for a response of the graph area. Of the data in a response to a query of the caller's own, the
// contract says nothing.
func CheckGraph(op *api.Operation, own bool, status int, body []byte) Report {
	var r Report
	if !slices.Contains(op.Statuses, status) {
		r.add(Drift{UnknownStatus, "", statuses(op), strconv.Itoa(status)})
	}
	good := status >= 200 && status <= 299
	if !good && status != http.StatusBadRequest {
		r.Body = body
		return r
	}
	data := anyObject
	if good && !own {
		data = documented(op, status)
	}
	around := errorsIn(body)
	walked := walk(graphBody(data, good, len(around.failed) > 0), body, around)
	walked.Drifts = append(r.Drifts, walked.Drifts...)
	return walked
}

// graphBody is the shape of a body around its data, as the specification of GraphQL has it. An empty list of errors, and
// a null in the place of errors or extensions, say as much as none, and are let pass.
func graphBody(data *Shape, good, failed bool) *Shape {
	return &Shape{Kinds: "{", Members: []Member{
		{"data", good && !failed, data},
		{"errors", !good, graphErrors},
		{"extensions", false, &Shape{Kinds: "{", Nullable: true, Reads: readsAny}},
	}}
}

var (
	anyObject   = &Shape{Kinds: "{", Reads: readsAny}
	graphErrors = &Shape{Kinds: "[", Nullable: true, Items: &Shape{Kinds: "{", Envelope: true, Members: []Member{
		{"extensions", false, &Shape{Kinds: "{", Nullable: true, Reads: readsAny}},
		{"locations", false, &Shape{Kinds: "[", Nullable: true}},
		{"message", true, &text},
		{"path", false, &Shape{Kinds: "[", Nullable: true}},
	}}}
)

func readsAny([]byte) bool { return true }

// graphResponse is what there is to know of a response of the graph area before its parts are held against their shapes.
type graphResponse struct {
	// failed are the places that the errors of the response are about, as JSON Pointers, in order. A name in GraphQL has
	// nothing to escape, no dot, and no character that sorts before a slash.
	failed []string
}

// errorsIn reads the errors of a body.
func errorsIn(body []byte) *graphResponse {
	g := &graphResponse{}
	for _, stated := range graphql.Errors("", body) {
		g.failed = append(g.failed, "/data/"+strings.ReplaceAll(stated.Path, ".", "/"))
	}
	slices.Sort(g.failed)
	return g
}

// explains reports whether an error of the response is the reason for a null: it is about that place, or about one
// inside, from where the null has come up. Of data that is null as a whole, any error is.
func (g *graphResponse) explains(path []byte) bool {
	if g == nil {
		return false
	}
	place := string(path)
	i, exact := slices.BinarySearch(g.failed, place)
	return exact || i < len(g.failed) && strings.HasPrefix(g.failed[i], place+"/")
}
