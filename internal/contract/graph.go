package contract

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/graphql"
)

// CheckGraph is Check for the graph area. If own is set, the query is the caller's and its data is not checked.
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

// graphBody returns the shape of a body around its data, as the GraphQL specification defines it. An empty list of
// errors, and null errors or extensions, count as absent and are accepted.
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

// graphResponse describes a response of the graph area before its shape is checked.
type graphResponse struct {
	// failed contains the JSON Pointers of the fields with errors, sorted. GraphQL names need no escaping and contain
	// neither dots nor characters that sort before a slash.
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

// explains reports whether an error of the response is the reason for a null: an error about the null field, or about a
// field inside it, since nulls propagate upwards. Any error explains null data.
func (g *graphResponse) explains(path []byte) bool {
	if g == nil {
		return false
	}
	place := string(path)
	i, exact := slices.BinarySearch(g.failed, place)
	return exact || i < len(g.failed) && strings.HasPrefix(g.failed[i], place+"/")
}
