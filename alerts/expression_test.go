package alerts_test

import (
	"encoding/json"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/alerts"
)

// TestExpression_marshalsAsBase64: FuzzExpression reads it back, and reads what is no base64 as it is.
func TestExpression_marshalsAsBase64(t *testing.T) {
	for expression, encoded := range map[alerts.Expression]string{
		"tx_to == '0x1'": "dHhfdG8gPT0gJzB4MSc=", "dHhfdG8gPT0gJzB4MSc=": "ZEhoZmRHOGdQVDBnSnpCNE1TYz0=",
		"tx_input =~ 'ü'": "dHhfaW5wdXQgPX4gJ8O8Jw==", "": "",
	} {
		assert.Equal(t, encoded, expression.Base64())
		body := must(json.Marshal(alerts.ValidateExpressionRequest{Expression: expression, Network: "n"}))(t)
		assert.JSONEq(t, `{"expression":"`+encoded+`","network":"n"}`, string(body))
		var back alerts.ValidateExpressionRequest
		require.NoError(t, json.Unmarshal(body, &back))
		assert.Equal(t, expression, back.Expression)
	}
	require.EqualError(t, new(alerts.Expression).UnmarshalJSON([]byte("7")), "alerts: an expression must be a JSON string")
}

func TestParseExpression_acceptsBase64Alphabets(t *testing.T) {
	for encoded, want := range map[string]string{
		"YT09Jz8-Pyc_": "a=='?>?'?", "YT09Jz8+Pyc/": "a=='?>?'?", " YT09Jz8+Pyc/\n": "a=='?>?'?",
		"YT09JzEnIA==": "a=='1' ", "YT09JzEnIA": "a=='1' ",
	} {
		parsed, err := alerts.ParseExpression(encoded)
		require.NoError(t, err, encoded)
		assert.Equal(t, alerts.Expression(want), parsed)
	}
	for name, encoded := range map[string]string{
		"plain text": "tx_to == '0x1'", "one letter too many": "YT09J", "bits left over": "YT09JzEnIB==", "not text": "/w==",
		"two alphabets": "YT09Jz8+Pyc_",
	} {
		assert.EqualError(t, errOf(alerts.ParseExpression(encoded)),
			"alerts: the expression is not base64 of UTF-8 text", name)
	}
}

// FuzzExpression reads any data: as base64, as the text of a response, which is never lost, and as a response.
func FuzzExpression(f *testing.F) {
	for _, seed := range []string{
		"", "dHhfdG8gPT0gJzB4MSc=", "YT09Jz8-Pyc_", "tx_to == '0x1'", "/w==", "=", "YT0\n9", "\xff",
		`"dHhfdG8gPT0gJzB4MSc="`, `"tx_to == '0x1'"`, `"a\/b"`, `"a"b"`, `"ü"`, "\"\xff\"", "\"\x7f\x1f\"", `null`, `7`, `"`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data string) {
		if parsed, err := alerts.ParseExpression(data); err == nil {
			assert.True(t, utf8.ValidString(string(parsed)))
			assert.Equal(t, parsed, must(alerts.ParseExpression(parsed.Base64()))(t))
		}
		var read alerts.Expression
		require.NoError(t, json.Unmarshal(must(json.Marshal(data))(t), &read))
		// A written expression is read back as it was, even if it looks like base64.
		if utf8.ValidString(data) {
			require.NoError(t, json.Unmarshal(must(json.Marshal(alerts.Expression(data)))(t), &read))
			assert.Equal(t, alerts.Expression(data), read)
		}
		var text string
		want := json.Unmarshal([]byte(data), &text)
		read = ""
		require.Equal(t, want == nil, read.UnmarshalJSON([]byte(data)) == nil)
		if want == nil {
			if parsed, err := alerts.ParseExpression(text); err == nil {
				text = string(parsed)
			}
			require.Equal(t, text, string(read))
		}
	})
}
