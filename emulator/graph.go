package emulator

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/graphapi"
	"github.com/rpcfleet/rpcfleet-go/emulator/internal/serve"
)

// mountGraph adds the graph area: a GraphQL executor over made-up data, which come from the seed and never change. Each
// chain has five collections, the first of which has 5,000 tokens, with wallets, ERC-20 tokens and two months of
// events. Queries find their addresses. The data are made by the first query.
func (e *Emulator) mountGraph(router chi.Router) {
	e.operations.add(serve.Operation{
		ID: graphOperation, Method: http.MethodPost, Path: e.settings.graphPath, Paging: "cursor",
	}, refuseGraph)
	router.Post(e.settings.graphPath, func(w http.ResponseWriter, r *http.Request) {
		if e.state.graph == nil {
			made, err := graphapi.New(e.state.Graph, e.settings.pageCap)
			if err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
			e.state.graph = made
		}
		e.state.graph.ServeHTTP(w, r)
	})
}

// refuseGraph writes a failure of the area, in the form of GraphQL.
func refuseGraph(w http.ResponseWriter, _ *http.Request, err error) {
	graphapi.Refuse(w, refusalOf(err).status, err.Error())
}
