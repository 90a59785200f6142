package emulator

import (
	"errors"
	"net/http"

	"github.com/go-chi/chi/v5"

	"github.com/rpcfleet/rpcfleet-go/emulator/fleet"
	"github.com/rpcfleet/rpcfleet-go/emulator/internal/graphapi"
	"github.com/rpcfleet/rpcfleet-go/emulator/internal/serve"
)

// graphState is the data set of the graph area, which no operation changes.
type graphState struct {
	// given is what the data set is made from. Its seed is never 0.
	given fleet.Graph
	// api is nil until the first query.
	api *graphapi.API
}

// newGraph is what a fresh account has: made-up data alone.
func newGraph(s *state) graphState { return graphState{given: fleet.Graph{Seed: s.settings.seed}} }

// graphAPI makes the data up where that has not been done yet.
func (s *state) graphAPI() (*graphapi.API, error) {
	if s.graph.api == nil {
		api, err := graphapi.New(s.graph.given, s.settings.pageCap)
		if err != nil {
			return nil, err
		}
		s.graph.api = api
	}
	return s.graph.api, nil
}

// mountGraph adds the graph area: a GraphQL executor over a made-up data set of its own, which comes from the seed and
// does not change. On each chain there are five collections, the first of which has 5,000 tokens, with wallets, ERC-20
// tokens and two months of events; queries find their addresses. The data are made up when the first query comes.
func (e *Emulator) mountGraph(router chi.Router) {
	e.operations.add(serve.Operation{
		ID: graphOperation, Method: http.MethodPost, Path: e.settings.graphPath, Paging: "cursor",
	}, refuseGraph)
	router.Post(e.settings.graphPath, func(w http.ResponseWriter, r *http.Request) {
		ready, err := e.state.graphAPI()
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		ready.ServeHTTP(w, r)
	})
}

// refuseGraph writes a failure of the area: errors in the form of GraphQL.
func refuseGraph(w http.ResponseWriter, _ *http.Request, err error) {
	status := http.StatusInternalServerError
	var refused *refusal
	if errors.As(err, &refused) {
		status = refused.status
	}
	graphapi.Refuse(w, status, err.Error())
}
