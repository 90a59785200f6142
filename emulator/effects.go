package emulator

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/broken"
	"github.com/rpcfleet/rpcfleet-go/emulator/internal/leaf"
)

// effect is what an [Effect] does, and what it takes.
type effect struct {
	// takes are the fields of Fault that are arguments of it, by their names in JSON.
	takes []string
	// pagings are the kinds of paging that it needs an operation to have. None is no need.
	pagings []string

	// instead makes the response without carrying the request out.
	instead func(Fault, asked, *response)
	// ask changes the request, and reports whether there was anything to change.
	ask func(Fault, *asked) bool
	// change changes the response, and reports whether there was anything to change.
	change func(Fault, asked, *response) bool
	// send sends the response in another way.
	send func(Fault, http.ResponseWriter, *http.Request, *response)
	// mute is set where not even a status reaches the client.
	mute bool
}

var (
	pages   = []string{"offset", "cursor"}
	cursors = []string{"cursor"}
)

// effects are all of them. The one without a name responds with a status.
var effects = map[Effect]effect{
	"":          {takes: []string{"status", "retryAfter"}, instead: respondStatus},
	HTML:        {takes: []string{"status", "retryAfter"}, instead: respondHTML},
	Redirect:    {takes: []string{"status", "location"}, instead: respondRedirect},
	Refuse:      {instead: respondNothing, mute: true, send: sendNothing(broken.Close)},
	ResetBefore: {instead: respondNothing, mute: true, send: sendNothing(broken.Reset)},
	Endless:     {instead: respondNothing, send: sendNothing(broken.Endless)},

	LoseResponse: {mute: true, send: sendNothing(broken.Close)},
	ResetDuring:  {send: sendPart(broken.ResetWithin)},
	ResetAfter:   {send: sendPart(broken.ResetBehind)},
	Truncate:     {send: sendPart(broken.CloseWithin)},
	WrongLength:  {send: sendPart(broken.Short)},
	Trickle:      {takes: []string{"interval"}, send: sendSlowly},
	WrongType:    {takes: []string{"contentType"}, change: changeType},
	FalseGzip:    {change: changeEncoding},
	SetLeaf:      {takes: []string{"pointer", "value"}, change: setLeaf},
	DropLeaf:     {takes: []string{"pointer"}, change: dropLeaf},

	LowerLimit:   {takes: []string{"limit"}, pagings: pages, ask: lowerLimit},
	RepeatPage:   {pagings: pages, ask: askForTheFirstPage},
	RepeatCursor: {pagings: cursors, change: repeatCursor},
}

func respondStatus(f Fault, a asked, response *response) {
	if f.RetryAfter != "" {
		response.header.Set("Retry-After", f.RetryAfter)
	}
	fail := refuse
	if a.op != nil {
		fail = a.op.refuse
	}
	fail(response, a.request, &refusal{f.Status, "an injected fault"})
}

// gatewayPage is what a gateway says.
const gatewayPage = "<!DOCTYPE html>\n<html><head><title>Bad gateway</title></head><body><h1>Bad gateway</h1></body></html>\n"

func respondHTML(f Fault, _ asked, response *response) {
	if f.RetryAfter != "" {
		response.header.Set("Retry-After", f.RetryAfter)
	}
	response.header.Set("Content-Type", "text/html; charset=utf-8")
	response.WriteHeader(max(f.Status, http.StatusOK))
	_, _ = io.WriteString(response, gatewayPage) // The response is kept in memory: writing it cannot fail.
}

func respondRedirect(f Fault, _ asked, response *response) {
	location, status := f.Location, f.Status
	if location == "" {
		location = "https://elsewhere.example/"
	}
	if status == 0 {
		status = http.StatusTemporaryRedirect
	}
	response.header.Set("Location", location)
	response.WriteHeader(status)
}

func respondNothing(Fault, asked, *response) {}

func sendNothing(end func(http.ResponseWriter)) func(Fault, http.ResponseWriter, *http.Request, *response) {
	return func(_ Fault, w http.ResponseWriter, _ *http.Request, _ *response) { end(w) }
}

func sendPart(send func(http.ResponseWriter, int, []byte)) func(Fault, http.ResponseWriter, *http.Request, *response) {
	return func(_ Fault, w http.ResponseWriter, _ *http.Request, response *response) {
		send(w, response.status, response.body.Bytes())
	}
}

func sendSlowly(f Fault, w http.ResponseWriter, r *http.Request, response *response) {
	interval := f.Interval
	if interval == 0 {
		interval = 100 * time.Millisecond
	}
	broken.Trickle(r.Context(), w, response.status, response.body.Bytes(), interval)
}

func changeType(f Fault, _ asked, response *response) bool {
	contentType := f.ContentType
	if contentType == "" {
		contentType = "application/octet-stream"
	}
	response.header.Set("Content-Type", contentType)
	return true
}

func changeEncoding(_ Fault, _ asked, response *response) bool {
	response.header.Set("Content-Encoding", "gzip")
	return true
}

func setLeaf(f Fault, _ asked, response *response) bool {
	body, changed := leaf.Set(response.body.Bytes(), f.Pointer, f.Value)
	return changed && response.replace(body)
}

func dropLeaf(f Fault, _ asked, response *response) bool {
	body, changed := leaf.Drop(response.body.Bytes(), f.Pointer)
	return changed && response.replace(body)
}

// The parameters of pages, in queries and in the variables of the graph area.
const (
	limitName, offsetName, cursorName = "limit", "offset", "next_at"
	firstVariable, afterVariable      = "first", "after"
)

// paged reports whether a request is for a listing with one of the kinds of paging.
func (a *asked) paged(pagings []string) bool {
	for _, paging := range pagings {
		if a.op != nil && a.op.Paging == paging {
			return true
		}
	}
	return false
}

// lowerLimit asks for a smaller page. A request that names no limit gets this one.
func lowerLimit(f Fault, a *asked) bool {
	if !a.paged(pages) {
		return false
	}
	if a.op.ID == graphOperation {
		return a.setVariable(firstVariable, func(sent any) (any, bool) {
			n, is := sent.(float64)
			return f.Limit, is && n > float64(f.Limit)
		})
	}
	query := a.request.URL.Query()
	if sent, err := strconv.Atoi(query.Get(limitName)); query.Has(limitName) && (err != nil || sent <= f.Limit) {
		return false
	}
	query.Set(limitName, strconv.Itoa(f.Limit))
	a.request.URL.RawQuery = query.Encode()
	return true
}

// askForTheFirstPage takes the place in the listing out of the request.
func askForTheFirstPage(_ Fault, a *asked) bool {
	if !a.paged(pages) {
		return false
	}
	if a.op.ID == graphOperation {
		return a.setVariable(afterVariable, func(sent any) (any, bool) {
			cursor, is := sent.(string)
			return nil, is && cursor != ""
		})
	}
	query := a.request.URL.Query()
	if offset := query.Get(offsetName); (offset == "" || offset == "0") && query.Get(cursorName) == "" {
		return false
	}
	query.Del(offsetName)
	query.Del(cursorName)
	a.request.URL.RawQuery = query.Encode()
	return true
}

// repeatCursor puts the request's cursor in the place of the next one.
func repeatCursor(_ Fault, a asked, response *response) bool {
	if !a.paged(cursors) {
		return false
	}
	if a.op.ID == graphOperation {
		cursor, _ := a.variables()[afterVariable].(string)
		var root any
		decoder := json.NewDecoder(bytes.NewReader(response.body.Bytes()))
		decoder.UseNumber() // Numbers stay as they are spelled.
		if cursor == "" || decoder.Decode(&root) != nil || !repeatIn(root, cursor) {
			return false
		}
		body, err := json.Marshal(root)
		return err == nil && response.replace(body)
	}
	cursor := a.request.URL.Query().Get(cursorName)
	if cursor == "" {
		return false
	}
	body, changed := leaf.Set(response.body.Bytes(), "/"+cursorName, cursor)
	return changed && response.replace(body)
}

// repeatIn puts the cursor into every pageInfo, and reports whether there was one.
func repeatIn(value any, cursor string) (found bool) {
	switch value := value.(type) {
	case map[string]any:
		if info, is := value["pageInfo"].(map[string]any); is {
			info["endCursor"], info["hasNextPage"], found = cursor, true, true
		}
		for _, inner := range value {
			found = repeatIn(inner, cursor) || found
		}
	case []any:
		for _, inner := range value {
			found = repeatIn(inner, cursor) || found
		}
	}
	return found
}

// variables are those of a request of the graph area.
func (a *asked) variables() map[string]any {
	var sent struct {
		Variables map[string]any `json:"variables"`
	}
	_ = json.Unmarshal(a.body, &sent) // The graph area says what is wrong with it.
	return sent.Variables
}

// setVariable changes a variable of a request of the graph area, and reports whether there was anything to change.
func (a *asked) setVariable(name string, change func(sent any) (any, bool)) bool {
	value, wanted := change(a.variables()[name])
	if !wanted {
		return false
	}
	body, changed := leaf.Set(a.body, "/variables/"+name, value)
	if changed {
		a.body = body
	}
	return changed
}
