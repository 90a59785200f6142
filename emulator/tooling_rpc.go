package emulator

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"
)

// rpcCall is a JSON-RPC 2.0 request. Without an id it is a notification, which gets no response.
type rpcCall struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
}

type rpcResponse struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  any             `json:"result,omitempty"`
	Error   *rpcError       `json:"error,omitempty"`
}

type rpcError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// The errors that JSON-RPC defines.
var (
	rpcParseError     = &rpcError{-32700, "parse error"}
	rpcInvalidRequest = &rpcError{-32600, "invalid request"}
	rpcUnknownMethod  = &rpcError{-32601, "the method does not exist"}
)

// respondRPC makes the response to a call or a batch of calls. It returns nil when all of them are notifications.
func (s *state) respondRPC(body []byte) []byte {
	trimmed := bytes.TrimSpace(body)
	if !json.Valid(trimmed) {
		return encodeRPC(rpcFailure(nil, rpcParseError))
	}
	if trimmed[0] != '[' {
		response := s.respondCall(trimmed)
		if response == nil {
			return nil
		}
		return encodeRPC(response)
	}
	var calls []json.RawMessage
	if err := json.Unmarshal(trimmed, &calls); err != nil || len(calls) == 0 {
		return encodeRPC(rpcFailure(nil, rpcInvalidRequest))
	}
	var responses []*rpcResponse
	for _, call := range calls {
		if response := s.respondCall(call); response != nil {
			responses = append(responses, response)
		}
	}
	if responses == nil {
		return nil
	}
	return encodeRPC(responses)
}

// answerCall makes the response to one call, with nil for a notification.
func (s *state) respondCall(text []byte) *rpcResponse {
	var call rpcCall
	if err := json.Unmarshal(text, &call); err != nil || call.Version != "2.0" || call.Method == "" {
		return rpcFailure(nil, rpcInvalidRequest)
	}
	if call.ID == nil {
		return nil
	}
	result := s.rpcResult(call.Method)
	if result == "" {
		return rpcFailure(call.ID, rpcUnknownMethod)
	}
	return &rpcResponse{Version: "2.0", ID: call.ID, Result: result}
}

// The made-up chain behind the tooling endpoint had its first block at a fixed time, and gets a new one every 12
// seconds of the emulator's clock.
var firstBlock = time.Date(2020, time.January, 1, 0, 0, 0, 0, time.UTC)

const blockTime = 12 * time.Second

// rpcResult is what a method returns, or empty for one that the endpoint does not have. No method looks at parameters.
func (s *state) rpcResult(method string) string {
	switch method {
	case "eth_blockNumber":
		return fmt.Sprintf("0x%x", max(int64(s.now().Sub(firstBlock)/blockTime), 0))
	case "eth_chainId":
		return "0x1"
	case "web3_clientVersion":
		return "Emulator/v1.0.0"
	}
	return ""
}

func rpcFailure(id json.RawMessage, failure *rpcError) *rpcResponse {
	if id == nil {
		id = json.RawMessage("null")
	}
	return &rpcResponse{Version: "2.0", ID: id, Error: failure}
}

func encodeRPC(response any) []byte {
	text, _ := json.Marshal(response) // Texts, and ids that were valid JSON when they came: this cannot fail.
	return text
}
