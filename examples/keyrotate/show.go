package main

import (
	"io"
	"strconv"

	"github.com/rpcfleet/rpcfleet-go/examples/internal/cli"
)

// show writes how far the endpoints are. Tokens are named by their ids.
func (r *rotation) show(w io.Writer, format cli.Format) error {
	table := cli.Table{Header: []string{"ENDPOINT", "STEP", "OLD TOKENS", "NEW TOKEN"}}
	type row struct {
		Endpoint  string `json:"endpoint"`
		Step      step   `json:"step"`
		OldTokens int    `json:"old_tokens"`
		NewToken  string `json:"new_token"`
	}
	rows := []row{}
	for _, e := range r.entries {
		rows = append(rows, row{e.Endpoint, e.Step, len(e.Old), e.New})
		table.Add(e.Endpoint, string(e.Step), strconv.Itoa(len(e.Old)), e.New)
	}
	return cli.Write(w, format, table, rows)
}
