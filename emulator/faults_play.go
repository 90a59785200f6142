package emulator

import (
	"io"
	"net/http"
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
