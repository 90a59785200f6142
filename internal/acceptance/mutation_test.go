package acceptance

import (
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
)

// TestOperations_surviveMutatedResponses calls every method that reads a response against responses that differ from
// the documented ones. If a service may give such a response any day, the method must read it; if the response lacks
// something, the method must not.
func TestOperations_surviveMutatedResponses(t *testing.T) {
	f, runs := startSampleAccount(t), &atomic.Int64{}
	connections := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 1}}
	t.Cleanup(connections.CloseIdleConnections)
	upstream, secrets := validated(t, f.Emulator), f.secrets(t)
	for _, q := range readQueries() {
		s := &sample{query: q, sampleAccount: f, connections: connections, mutator: mutate(t, upstream), runs: runs,
			secrets: secrets}
		var err error
		s.want, err = s.ask(t)
		require.NoError(t, err, q.method)
		s.want, _ = takeExtras(s.want)
		require.NotEmpty(t, s.mutator.answers, q.method)
		t.Run(q.method, func(t *testing.T) {
			t.Parallel()
			for i := range s.mutator.answers {
				s.index, s.response = i, s.mutator.answers[i]
				if s.response.kind == api.ResponseText {
					continue // Its mutations are rows of a test of its own.
				}
				s.requireRejected(t)
				if len(s.response.body) > 0 {
					s.newer(t)
					s.sparser(t)
					s.broken(t)
				}
			}
		})
	}
	t.Cleanup(func() { t.Logf("%d mutated responses", runs.Load()) })
}

// TestMutations_reachEveryMethod fails if a method of a service is not in the tables above.
func TestMutations_reachEveryMethod(t *testing.T) {
	reached := map[string]bool{
		"Logs.Follow":             true, // It reads by Logs.Pages, without an end.
		"Streams.WaitFor":         true, // It reads by Streams.Get.
		"Webhooks.Change":         true, // It reads by Webhooks.Get and Update.
		"Webhooks.ChangeTemplate": true,
		"Tooling.HTTPClient":      true, // It reads by Tooling.TokenSource.
		"Graph.With":              true, // It sends nothing by itself.
	}
	for _, list := range strings.Fields("Tokens JWTs Referrers IPs DomainMasks RequestFilters") {
		reached["Security."+list] = true // It reads like Security.Get.
	}
	for _, q := range allQueries() {
		reached[q.method] = true
	}
	for service := range reflect.TypeFor[rpcfleet.Client]().Fields() {
		if !service.IsExported() {
			continue
		}
		for method := range service.Type.Methods() {
			name := service.Name + "." + method.Name
			assert.True(t, reached[name], "%s is not called with mutated responses", name)
		}
	}
}

// sample is one method with the responses that it got from the emulator.
type sample struct {
	query
	*sampleAccount
	connections *http.Client
	mutator     *mutator
	// index is the index of the mutated response.
	index    int
	response response
	// want is the result of the unchanged responses.
	want    any
	secrets []string
	runs    *atomic.Int64
}

// ask calls the method, with a client that has nothing kept from earlier calls.
func (s *sample) ask(t *testing.T) (result any, err error) {
	t.Helper()
	client := s.plainClient(t, rpcfleet.WithBaseURL(s.mutator.URL), rpcfleet.WithHTTPClient(s.connections),
		rpcfleet.WithHeader(mutatedHeader, s.mutator.URL))
	defer func() {
		if caught := recover(); caught != nil {
			err = fmt.Errorf("panic: %v", caught)
		}
	}()
	return s.run(t.Context(), client, s.sampleAccount)
}

// try calls the method with a response mutated. Whatever its error is, its kind is documented and it shows no secret.
func (s *sample) try(t *testing.T, what string, instead mutated) (any, error) {
	t.Helper()
	s.runs.Add(1)
	if instead.status == 0 {
		instead.status = s.response.status
	}
	s.mutator.say(s.index, instead)
	result, err := s.ask(t)
	if err == nil {
		return result, nil
	}
	var paged *rpcfleet.PageError
	inner := err
	if errors.As(err, &paged) {
		inner = paged.Err
	}
	shown := fmt.Sprintf("%v\n%+v\n%#v", err, inner, inner)
	switch inner := inner.(type) {
	case *rpcfleet.Error:
		shown += inner.Message + inner.RequestID
	case *rpcfleet.DecodeError:
		shown += inner.Detail + inner.ContentType
	default:
		if paged != nil && errors.Is(inner, rpcfleet.ErrIncompleteListing) {
			break
		}
		assert.Fail(t, "an error of an undocumented type", "%s: %T: %v", what, err, err)
	}
	for _, secret := range s.secrets {
		assert.NotContains(t, shown, secret, what)
	}
	return result, err
}

// newer mutates a response in ways that a newer version of the service might: none of them is a failure.
func (s *sample) newer(t *testing.T) {
	t.Helper()
	same := map[string]func(name string, n *node){
		"unknown fields": func(name string, n *node) {
			if n.kind == '{' && !tables[name] {
				n.names = append(append([]string{`"x_first"`}, n.names...), "\"x_last\xff\"")
				n.children = slices.Concat([]*node{{literal: `{"deep":[null,{"x":-1e400}]}`}}, n.children,
					[]*node{{literal: "[\"\xff\"]"}})
			}
		},
		"repeated names": func(_ string, n *node) {
			if n.kind == '{' {
				first := make([]*node, len(n.children))
				for i := range first {
					first[i] = &node{literal: n.children[i].stale()}
					if n.names[i] == `"__typename"` {
						first[i] = n.children[i] // It decides the kind of the others.
					}
				}
				n.names, n.children = slices.Concat(n.names, n.names), slices.Concat(first, n.children)
			}
		},
	}
	for what, change := range same {
		result, err := s.try(t, what, mutated{body: s.changed(t, change)})
		if assert.NoError(t, err, what) {
			result, extras := takeExtras(result)
			assert.Equal(t, s.want, result, what)
			for _, extra := range extras {
				var kept []string
				// The other pages have none.
				if what == "unknown fields" && !s.response.graph && (!s.iterates() || !extra.IsZero()) {
					kept = []string{"x_first", "x_last\uFFFD"}
				}
				assert.Equal(t, kept, extra.Names(), "%s: they are kept", what)
			}
		}
	}
	count := 0
	other := map[string]func(name string, n *node){
		"unknown texts": func(name string, n *node) {
			if n.text(name) && !s.chosenBy(name) && (!s.response.graph || !n.isTime()) {
				count++ // Items with the same texts would be the same items, and their page the same page.
				n.literal = fmt.Sprintf("%q", "unknown "+strconv.Itoa(count))
			}
		},
		"invalid UTF-8": func(name string, n *node) {
			if n.text(name) && !s.chosenBy(name) && (!s.response.graph || !n.isTime()) {
				n.literal = strings.TrimSuffix(n.literal, `"`) + "\xff\xc0\xaf\xed\xa0\x80\\ud800\""
			}
		},
	}
	for what, change := range other {
		result, err := s.try(t, what, mutated{body: s.changed(t, change)})
		if assert.NoError(t, err, what) {
			s.complete(t, what, result)
		}
	}
	times := 0
	body := s.changed(t, func(_ string, n *node) {
		if s.response.graph && n.isTime() {
			times++
			n.literal = `"soon"`
		}
	})
	if times > 0 { // The graph area has times in RFC 3339, and its records keep no other text.
		_, err := s.try(t, "an unknown time", mutated{body: body})
		assert.ErrorAs(t, err, new(*rpcfleet.DecodeError))
	}
}

// chosenBy reports whether a name is the one text that has to be known: if the type of a collection or a token is
// unknown, the result of the method is not requested.
func (s *sample) chosenBy(name string) bool {
	return chosenByType[s.method] != "" && name == `"__typename"`
}

// chosenByType are the types that have to be known.
var chosenByType = map[string]string{
	"Graph.CollectionNFTs":  "/data/chain/collection/__typename",
	"Graph.CollectionStats": "/data/chain/collection/__typename",
	"Graph.NFTOwners":       "/data/chain/nft/__typename",
}

// tables are fields with objects in which names are not fields: one more name is not an unknown field.
var tables = map[string]bool{`"multichain_urls"`: true}

// changed is the response's body with every value changed.
func (s *sample) changed(t *testing.T, change func(name string, n *node)) []byte {
	root := parse(t, s.response.body)
	root.each("", change)
	return root.render()
}

// complete checks that an iteration has lost nothing.
func (s *sample) complete(t *testing.T, what string, result any) {
	t.Helper()
	if s.iterates() {
		if strings.HasPrefix(what, "/pageInfo") { // Without a total, what was created since comes too.
			assert.GreaterOrEqual(t, len(result.(delivered)), len(s.want.(delivered)), "%s: items are lost", what)
			return
		}
		assert.Len(t, result, len(s.want.(delivered)), "%s: items are lost", what)
	}
}

func (s *sample) iterates() bool {
	_, iterates := s.want.(delivered)
	return iterates
}

// sparser makes one value after the other null, and removes one field after the other. That fails a call only if the
// missing part is all that was requested.
func (s *sample) sparser(t *testing.T) {
	t.Helper()
	root := parse(t, s.response.body)
	s.miss(t, "", false, nil, []byte("null"))
	for _, p := range root.places() {
		s.miss(t, p.path, false, p.parent.children[p.index], root.with(p, "null"))
		if p.parent.kind == '{' {
			s.miss(t, p.path, true, nil, root.without(p))
		}
	}
}

// miss gives a response in which a value is null or absent. The node is the value that is null.
func (s *sample) miss(t *testing.T, path string, absent bool, was *node, body []byte) {
	t.Helper()
	what := path + " is null"
	if absent {
		what = path + " is absent"
	}
	result, err := s.try(t, what, mutated{body: body})
	needed := s.needs(path, absent)
	raw := strings.HasPrefix(path, "/logs/") || strings.HasPrefix(path, "/result/") // What a filter returned.
	if was != nil && was.kind == '{' && isItem(path) && !raw && s.response.kind != api.ResponseMaybe {
		needed = rpcfleet.ReasonUnexpectedType
	}
	switch {
	case needed != "":
		var unreadable *rpcfleet.DecodeError
		if assert.ErrorAs(t, err, &unreadable, what) {
			assert.Equal(t, needed, unreadable.Reason, what)
		}
	case s.response.graph && errors.Is(err, rpcfleet.ErrNotFound):
	case s.iterates() && s.response.kind == api.ResponsePage && path == "/data":
		assert.ErrorIs(t, err, rpcfleet.ErrIncompleteListing, "%s, and the total says that items are left", what)
	case assert.NoError(t, err, what) && !ends[path]:
		s.complete(t, what, result)
	}
}

// ends are the values without which a listing is documented to end. The first is a bare list.
var ends = map[string]bool{
	"": true, "/data": true, "/next_at": true, "/cursor": true, "/data/keys": true, "/data/items": true,
}

// identities are the ids without which a response to a create is documented to be of no use.
var identities = map[string]string{
	"Endpoints.Create": "/data/id", "RateLimits.CreateMethodLimit": "/data/id", "Teams.Create": "/data/id",
	"Teams.Invite": "/data/id", "Destinations.Create": "/id", "Notifications.Create": "/id",
	"Webhooks.Create": "/id", "Webhooks.CreateFromTemplate": "/id", "Streams.Create": "/id",
}

// needs returns the reason for which a call is documented to fail without a value, or nothing.
func (s *sample) needs(path string, absent bool) string {
	needed := false
	switch s.response.kind {
	case api.ResponseData:
		needed = path == "" || path == "/data"
	case api.ResponseList, api.ResponsePage, api.ResponseCursor:
		needed = path == "" || path == "/data" && absent
	case api.ResponseArray: // Bare, or under data.
		needed = path == "/data" && absent
	case api.ResponseRecord:
		needed = path == ""
	}
	switch {
	case needed, path != "" && path == identities[s.method], s.method == "Tooling.TokenSource" && path == "/data/token":
		return rpcfleet.ReasonNoData
	case path != "" && path == chosenByType[s.method]:
		return rpcfleet.ReasonUnexpectedType
	case s.response.graph && partsOfPages.MatchString(path):
		return rpcfleet.ReasonUnexpectedType
	}
	return ""
}

// partsOfPages are the parts without which a page of the graph area is incomplete.
var partsOfPages = regexp.MustCompile(`/(edges|edges/\*|edges/\*/node|pageInfo|pageInfo/hasNextPage)$`)

// isItem reports whether a path leads to an item of a list. If it is a record, a null is not; if it may be any JSON, it
// may be null.
func isItem(path string) bool {
	return strings.HasSuffix(path, "/*") && !strings.Contains(path, "/metadata/") && !strings.Contains(path, "/abi/")
}

// broken gives responses that are incomplete, or that go on after their end.
func (s *sample) broken(t *testing.T) {
	t.Helper()
	unreadable := func(what string, instead mutated, reason string) {
		t.Helper()
		_, err := s.try(t, what, instead)
		var got *rpcfleet.DecodeError
		if assert.ErrorAs(t, err, &got, what) {
			assert.Equal(t, reason, got.Reason, what)
		}
	}
	body := s.response.body
	unreadable("lost half way", mutated{body: body, lost: true}, rpcfleet.ReasonTruncated)
	if s.response.kind == api.ResponseEmpty {
		return // Its text, if there is any, does not matter.
	}
	for _, more := range []string{" x", "}", `{"data":null}`} {
		unreadable("followed by "+strconv.Quote(more), mutated{body: append(slices.Clip(body), more...)},
			rpcfleet.ReasonTrailingData)
	}
	const cuts = 8
	for i := range cuts {
		cut := max(i*len(body)/cuts, 1)
		unreadable(fmt.Sprintf("cut at %d of %d", cut, len(body)), mutated{body: body[:cut]}, rpcfleet.ReasonTruncated)
	}
	unreadable("cut at the end", mutated{body: body[:len(body)-1]}, rpcfleet.ReasonTruncated)
	if s.response.kind != api.ResponseMaybe && s.response.kind != api.ResponseConfirm {
		unreadable("empty", mutated{}, rpcfleet.ReasonEmpty)
	}
}

// requireRejected states a failure with a success status.
func (s *sample) requireRejected(t *testing.T) {
	t.Helper()
	const reason = "made-up reason"
	bodies := []string{
		`{"data":false,"error":"` + reason + `"}`, `{"data":"nothing","error":"` + reason + `"}`, `{"error":"` + reason +
			`"}`,
	}
	if len(s.response.body) > 0 {
		if root := parse(t, s.response.body); root.kind == '{' {
			root.names = append(root.names, `"error"`)
			root.children = append(root.children, &node{literal: strconv.Quote(reason)})
			bodies = append(bodies, string(root.render()))
		}
	}
	for _, body := range bodies {
		_, err := s.try(t, body, mutated{status: http.StatusOK, body: []byte(body)})
		var refused *rpcfleet.Error
		if assert.ErrorAs(t, err, &refused, body) {
			assert.Equal(t, reason, refused.Message, body)
			assert.ErrorIs(t, err, rpcfleet.ErrRejected)
		}
	}
}
