package emulator_test

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestToolingCalls(t *testing.T) {
	s := startService(t)
	s.switchTooling(true)
	session := s.toolingToken()
	const (
		parseError     = `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse error"}}`
		invalidRequest = `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"invalid request"}}`
	)
	for _, call := range []struct{ name, sent, want string }{
		{"chain", `{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}`, `{"jsonrpc":"2.0","id":1,"result":"0x1"}`},
		{"client", `{"jsonrpc":"2.0","id":"a","method":"web3_clientVersion"}`,
			`{"jsonrpc":"2.0","id":"a","result":"Emulator/v1.0.0"}`},
		{"null id", `{"jsonrpc":"2.0","id":null,"method":"eth_chainId"}`, `{"jsonrpc":"2.0","id":null,"result":"0x1"}`},
		{"another method", `{"jsonrpc":"2.0","id":7,"method":"eth_call"}`,
			`{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"the method does not exist"}}`},
		{"no JSON", `{"jsonrpc":`, parseError},
		{"nothing", ``, parseError},
		{"another version", `{"jsonrpc":"1.0","id":1,"method":"eth_chainId"}`, invalidRequest},
		{"no method", `{"jsonrpc":"2.0","id":1}`, invalidRequest},
		{"a number", `7`, invalidRequest},
		{"an empty batch", `[]`, invalidRequest},
		{"a batch", `[{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}, 7, {"jsonrpc":"2.0","method":"eth_chainId"}]`,
			`[{"jsonrpc":"2.0","id":1,"result":"0x1"},` + invalidRequest + `]`},
	} {
		t.Run(call.name, func(t *testing.T) {
			status, body := ask(t, session.EndpointURL, "bearer "+session.Token, call.sent)
			assert.Equal(t, http.StatusOK, status)
			assert.JSONEq(t, call.want, body)
		})
	}
	for _, notification := range []string{
		`{"jsonrpc":"2.0","method":"eth_chainId"}`, `[{"jsonrpc":"2.0","method":"eth_chainId"}]`,
	} {
		status, body := ask(t, session.EndpointURL+"/", "Bearer "+session.Token, notification)
		assert.Equal(t, http.StatusNoContent, status)
		assert.Empty(t, body)
	}
}

// TestBlockNumber: the made-up chain grows with the clock.
func TestBlockNumber(t *testing.T) {
	clock := newClock()
	s := startService(t, clock.option())
	s.switchTooling(true)
	session := s.toolingToken()
	number := func() int64 {
		_, body := ask(t, session.EndpointURL, "Bearer "+session.Token, blockNumber)
		var response struct{ Result string }
		require.NoError(t, json.Unmarshal([]byte(body), &response))
		digits, found := strings.CutPrefix(response.Result, "0x")
		require.True(t, found, body)
		parsed, err := strconv.ParseInt(digits, 16, 64)
		require.NoError(t, err)
		return parsed
	}
	first := number()
	assert.Positive(t, first)
	clock.advance(time.Minute)
	assert.Equal(t, first+5, number())
}
