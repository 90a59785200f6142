package emulator_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// graphNames is the response to a query for the names of collections.
type graphNames struct {
	Ethereum struct {
		Collections struct {
			Edges []struct{ Node struct{ Name string } }
		}
	}
}

func TestGraphArea(t *testing.T) {
	s := startService(t, emulator.WithMaxPageSize(3), emulator.WithGraphPath("query/v2"))
	body := object{"query": `query Names($n: Int) { ethereum { collections(first: $n) { edges { node { name } } } } }`,
		"variables": object{"n": 5}}
	names := dataOf[graphNames](s.post("/query/v2", body))
	assert.Len(t, names.Ethereum.Collections.Edges, 3, "the page cap holds here as well")
	assert.Equal(t, "Quiet Harbors", names.Ethereum.Collections.Edges[0].Node.Name)
	assert.Equal(t, names, dataOf[graphNames](s.withKey(s.ViewerKey).post("/query/v2", body)))

	for _, key := range []string{"", "another"} {
		refused := s.withKey(key).post("/query/v2", body)
		assert.Equal(t, http.StatusUnauthorized, refused.status)
		assert.Equal(t, "Unauthorized", strings.TrimSpace(string(refused.body)))
	}
	assert.Equal(t, http.StatusNotFound, s.post("/graphql", body).status)
	assert.Equal(t, http.StatusMethodNotAllowed, s.get("/query/v2").status)
	assert.Equal(t, http.StatusBadRequest, s.post("/query/v2", object{"query": "{ nope }"}).status)
}
