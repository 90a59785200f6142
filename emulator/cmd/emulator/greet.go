package main

import (
	"fmt"
	"io"
	"strings"
)

// greet prints what a caller needs, and requests to begin with.
func greet(to io.Writer, key, address string) {
	header := quote("x-api-key: " + key)
	_, _ = fmt.Fprintf(to, `key      %[1]s
address  %[2]s
page     %[2]s/
control  %[2]s/_emulator/faults and /_emulator/calls

curl -H %[3]s %[2]s/v0/endpoints
curl -H %[3]s -H 'Content-Type: application/json' -d '{"chain":"base","network":"base-mainnet"}' %[2]s/v0/endpoints
curl -H %[3]s -H 'Content-Type: application/json' -d '{"query":"{ethereum{collections(first:3){edges{node{name address}}}}}"}' %[2]s/graphql

The next list of endpoints fails then:
curl -H %[3]s -d '{"operation":"listEndpoints","times":1,"status":429}' %[2]s/_emulator/faults

`, key, address, header)
}

// quote quotes a text for a shell.
func quote(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
