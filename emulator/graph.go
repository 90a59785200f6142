package emulator

import (
	"net/http"
	"sync"

	"github.com/go-chi/chi/v5"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/graphapi"
)

// mountGraph adds the graph area: a GraphQL executor over a made-up data set of its own, which comes from the seed and
// does not change. On each chain there are five collections, the first of which has 5,000 tokens, with wallets, ERC-20
// tokens and two months of events; queries find their addresses. The data are made up when the first query comes.
func (e *Emulator) mountGraph(router chi.Router) {
	api := sync.OnceValues(func() (*graphapi.API, error) { return graphapi.New(e.settings.seed, e.settings.pageCap) })
	router.Post(e.settings.graphPath, func(w http.ResponseWriter, r *http.Request) {
		ready, err := api()
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		ready.ServeHTTP(w, r)
	})
}
