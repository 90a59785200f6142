package graphql_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/graphql"
	"github.com/rpcfleet/rpcfleet-go/internal/reply"
)

type plan struct {
	Name string `json:"name"`
	List []plan `json:"list"`
}

// readPlans reads a list at the path a, b.
func readPlans(t *testing.T, body string) (*graphql.List[plan], error) {
	t.Helper()
	into := graphql.ListAt[plan]("a", "b")
	if _, err := graphql.Read(jsonType, []byte(body), nil, into); err != nil {
		return nil, err
	}
	return into.Found()
}

// TestList_countsLostItems has edges that cannot be read: they are counted, and the first one is described. The others
// are read.
func TestList_countsLostItems(t *testing.T) {
	const readable, at = `{"cursor":"x","node":{"name":"a"}}`, `"/data/a/b/edges/1`
	for edge, want := range map[string]string{
		`null`:                       `a null at ` + at + `"`,
		`{"cursor":"y"}`:             `edge 1 of the list has no node`,
		`{"cursor":"y","node":null}`: `a null at ` + at + `/node"`,
		`{"node":{"list":[{"name":{}}],"x":1},"cursor":"y"}`: `an object at ` + at +
			`/node/list/0/name" cannot be read as string`,
		`{"node":[[]],"cursor":"y"}`:           `an array at ` + at + `/node" cannot be read as graphql_test.plan`,
		`{"cursor":[],"node":{"name":"lost"}}`: `an array at ` + at + `/cursor"`,
		`7`:                                    `a number at ` + at + `"`,
		`{"node":{"name":"b"},"node":null}`:    `a null at ` + at + `/node"`,
		`{"node":[],"node":{"name":"b"}},null`: `a null at "/data/a/b/edges/2"`,
		`{"cursor":"y"},{"node":{"name":7}},7`: `edge 1 of the list has no node, and 2 more are missing`,
	} {
		list, err := readPlans(t, `{"data":{"a":{"b":{"edges":[`+readable+`,`+edge+`,`+readable+
			`],"pageInfo":{"hasNextPage":false}}}}}`)
		require.NoError(t, err, edge)
		assert.Equal(t, want, requireMalformed(t, reply.Shape, list.Check()).Detail, edge)
		names := ""
		for _, node := range list.Nodes {
			names += node.Name
		}
		assert.Contains(t, []string{"aa", "aba"}, names, edge)
		assert.Len(t, list.Cursors, len(list.Nodes)+list.Lost)
		assert.Equal(t, "x", list.Cursors[len(list.Cursors)-1])
	}
	for body, reason := range map[string]string{
		`{"edges":[{"node":{"name":[`: reply.Truncated, `{"edges":[{"node":{"name":[]}},{"node"}]}}}}`: reply.Syntax,
		`{"edges":{}}}}}`: reply.Shape, `{"edges":[{"node":{"name":[]}}],"totalCount":{}}}}}`: reply.Shape,
		`{"edges":[{"node":{"name":[]}}]}}}}{} `: reply.Trailing,
	} {
		_, err := readPlans(t, `{"data":{"a":{"b":`+body)
		requireMalformed(t, reason, err, body)
	}
}

func TestQuery_findsPath(t *testing.T) {
	one := func(name string) string { return `{"edges":[{"node":{"name":"` + name + `"}}]}` }
	for body, want := range map[string]string{
		`{"z":{"b":[9]},"a":{"x":{"b":[8]},"b":` + one("c") + `}}`:          "c",
		`{"a":{"b":` + one("c") + `},"a":{"b":` + one("d") + `}}`:           "d",
		`{"a":{"b":{"Edges":[],"edges":[{"NODE":1,"node":{"NAME":"e"}}]}}}`: "e",
	} {
		list, err := readPlans(t, `{"data":`+body+`}`)
		require.NoError(t, err, body)
		assert.Equal(t, want, list.Nodes[0].Name)
	}
	for body, want := range map[string]string{
		`{"a":{"b":null}}`: "", `{"a":null}`: "", `{"a":{"x":[1]}}`: "",
		`{"a":[{"b":[1]}]}`: `an array at "/data/a"`, `{"a":{"b":[1]}}`: `an array at "/data/a/b"`,
	} {
		list, err := readPlans(t, `{"data":`+body+`}`)
		if want == "" {
			assert.Nil(t, list, body)
			require.ErrorIs(t, err, graphql.ErrAbsent, body)
		} else {
			assert.Equal(t, want, requireMalformed(t, reply.Shape, err).Detail)
		}
	}
}
