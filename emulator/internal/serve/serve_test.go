package serve_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/stretchr/testify/assert"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/serve"
)

// request has a part of each kind that the areas know.
type request struct {
	ID    string
	Team  int64
	From  time.Time
	Limit *int
	Tags  []int64
	Body  *record
}

type record struct {
	Name string `json:"name"`
	Size int    `json:"size"`
}

// shown is a response that shows the request; unencodable one that JSON has no form for; empty one without a body.
type (
	shown       request
	unencodable struct{ C chan int }
	empty       struct{}
)

func (r shown) RespondTo(request) (int, any)       { return http.StatusOK, r }
func (r unencodable) RespondTo(request) (int, any) { return http.StatusOK, r }
func (empty) RespondTo(request) (int, any)         { return http.StatusNoContent, nil }

// call sends one request to an area with a single operation, POST /p/{id}/{team}.
func call(target, body string, need serve.Need, response serve.Response[request],
	err error) *httptest.ResponseRecorder {
	router := chi.NewRouter()
	say := func(status int) func(http.ResponseWriter, *http.Request, error) {
		return func(w http.ResponseWriter, _ *http.Request, err error) {
			w.WriteHeader(status)
			_, _ = io.WriteString(w, err.Error())
		}
	}
	area := serve.Area{
		Router: router, Prefix: "/p",
		RefuseRequest: say(http.StatusBadRequest), Refuse: say(http.StatusInternalServerError),
	}
	serve.Handle(area, serve.Operation{ID: "show", Method: http.MethodPost, Path: "/{id}/{team}"},
		func(_ context.Context, r request) (serve.Response[request], error) {
			if response == nil {
				return shown(r), err
			}
			return response, err
		},
		func(in *serve.Reader, r *request) {
			in.Path("id", &r.ID)
			in.Path("team", &r.Team)
			in.Query("from", serve.Required, &r.From)
			in.Query("limit", serve.Optional, &r.Limit)
			in.QueryArray("tags", serve.Optional, &r.Tags)
			serve.Body(in, need, &r.Body)
		})
	recorder := httptest.NewRecorder()
	router.ServeHTTP(recorder,
		httptest.NewRequest(http.MethodPost, "http://emulator.example"+target, strings.NewReader(body)))
	return recorder
}

const (
	target = "/p/a/7?from=2026-03-10T09:30:00Z"
	full   = `{"ID":"a","Team":7,"From":"2026-03-10T09:30:00Z","Limit":null,"Tags":null,"Body":{"name":"n","size":1}}`
)

func TestRequestsAreRead(t *testing.T) {
	for name, c := range map[string]struct {
		target, body string
		need         serve.Need
		want         string
	}{
		"a whole one":           {target, `{"name":"n","size":1}`, serve.Required, full},
		"what follows the body": {target, `{"name":"n","size":1} {`, serve.Required, full},
		"a null body": {target, `null`, serve.Optional,
			strings.Replace(full, `{"name":"n","size":1}`, `{"name":"","size":0}`, 1)},
		"no body": {target, ``, serve.Optional, strings.Replace(full, `{"name":"n","size":1}`, `null`, 1)},
		"an escaped slash": {"/p/a%2Fb/7?from=2026-03-10T09:30:00Z", `{"name":"n","size":1}`, serve.Required,
			strings.Replace(full, `"a"`, `"a/b"`, 1)},
		"an escaped percentage": {"/p/a%2525/7?from=2026-03-10T09:30:00Z", `{"name":"n","size":1}`, serve.Required,
			strings.Replace(full, `"a"`, `"a%25"`, 1)},
		"arguments of the query": {target + "&limit=3&tags=1&tags=2", `{"name":"n","size":1}`, serve.Required,
			strings.Replace(full, `"Limit":null,"Tags":null`, `"Limit":3,"Tags":[1,2]`, 1)},
		"an array in brackets": {target + "&tags[]=2&tags=1&tags%5B%5D=3", `{"name":"n","size":1}`, serve.Required,
			strings.Replace(full, `"Tags":null`, `"Tags":[2,1,3]`, 1)},
		"an array with commas": {target + "&tags=1,2&tags[]=3,%zz,%34", `{"name":"n","size":1}`, serve.Required,
			strings.Replace(full, `"Tags":null`, `"Tags":[1,2,3,4]`, 1)},
		"brackets for one value": {target + "&limit[]=3", `{"name":"n","size":1}`, serve.Required, full},
	} {
		t.Run(name, func(t *testing.T) {
			got := call(c.target, c.body, c.need, nil, nil)
			assert.Equal(t, http.StatusOK, got.Code)
			assert.Equal(t, "application/json", got.Header().Get("Content-Type"))
			assert.Equal(t, c.want+"\n", got.Body.String())
		})
	}
}

// TestRequestsThatCannotBeRead: the first part that is wrong is the one that is named.
func TestRequestsThatCannotBeRead(t *testing.T) {
	for name, c := range map[string]struct{ target, body, want string }{
		"path":              {"/p/a/x?from=x", ``, "Invalid format for parameter team: error binding string parameter"},
		"missing argument":  {"/p/a/7?limit=x", ``, "Query argument from is required, but not found"},
		"argument":          {target + "&limit=x", ``, "Invalid format for parameter limit: "},
		"array in brackets": {target + "&tags[]=x", ``, "Invalid format for parameter tags: "},
		"array":             {target + "&tags=1&tags=x", ``, "Invalid format for parameter tags: "},
		"array with commas": {target + "&tags=1,", ``, "Invalid format for parameter tags: "},
		"escaped comma":     {target + "&tags=1%2C2", ``, "Invalid format for parameter tags: "},
		"twice":             {target + "&limit=1&limit=2", ``, "Invalid format for parameter limit: multiple values"},
		"no body":           {target, ``, "can't decode JSON body: EOF"},
		"half a body":       {target, `{"name":`, "can't decode JSON body: unexpected EOF"},
		"another body":      {target, `{"size":"1"}`, "can't decode JSON body: json: cannot unmarshal string"},
	} {
		t.Run(name, func(t *testing.T) {
			got := call(c.target, c.body, serve.Required, nil, nil)
			assert.Equal(t, http.StatusBadRequest, got.Code)
			assert.Contains(t, got.Body.String(), c.want)
		})
	}
	got := call(target, `{"name":`, serve.Optional, nil, nil)
	assert.Equal(t, http.StatusBadRequest, got.Code, "half a body is not one that was left out")
}

func TestResponses(t *testing.T) {
	const body = `{"name":"n","size":1}`
	got := call(target, body, serve.Required, empty{}, nil)
	assert.Equal(t, http.StatusNoContent, got.Code)
	assert.Empty(t, got.Body.String())
	assert.Empty(t, got.Header())

	got = call(target, body, serve.Required, nil, errors.New("refused"))
	assert.Equal(t, http.StatusInternalServerError, got.Code)
	assert.Equal(t, "refused", got.Body.String())

	got = call(target, body, serve.Required, unencodable{}, nil)
	assert.Equal(t, http.StatusInternalServerError, got.Code,
		"nothing of a response is written before all of it is encoded")
	assert.Contains(t, got.Body.String(), "unsupported type")
}

func TestAnAreaIsToldOfItsOperations(t *testing.T) {
	var mounted []serve.Operation
	area := serve.Area{
		Router: chi.NewRouter(), Prefix: "/p", Mounted: func(op serve.Operation) { mounted = append(mounted, op) },
	}
	serve.Handle[request](area, serve.Operation{ID: "show", Method: http.MethodGet, Path: "/{id}", Paging: "none"}, nil,
		nil)
	assert.Equal(t, []serve.Operation{{ID: "show", Method: http.MethodGet, Path: "/p/{id}", Paging: "none"}}, mounted)
}
