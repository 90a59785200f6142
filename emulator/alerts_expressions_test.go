package emulator_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// backtestRecord is a response to a backtest.
type backtestRecord struct {
	Blocks []struct {
		BlockNumber   int64    `json:"block_number"`
		Evaluation    bool     `json:"evaluation"`
		Network       string   `json:"network"`
		MatchedHashes []string `json:"matched_hashes"`
	} `json:"expression_result"`
}

func trial(expression string, block, count any) object {
	return object{"expression": []byte(expression), "network": "ethereum-mainnet", "block_number": block,
		"backtest_count": count}
}

// Block 7 goes to the addresses 7, 8, 9 and 0.
func TestExpressionsOnBlock7(t *testing.T) {
	s := startService(t)
	to := func(digit string) string { return fmt.Sprintf("tx_to == '%s'", numbered(digit)) }
	for expression, matched := range map[string]int{
		to("7"):                    1,
		to("7") + " || " + to("0"): 2,
		to("7") + "||" + to("8") + "||" + to("9"): 3,
		to("7") + " && " + to("8"):                0,
		"tx_to != '" + numbered("7") + "'":        3,
		"tx_to =~ '[78]$'":                        2,
		`tx_to =~ "^0x"`:                          4,
		// && binds more tightly than ||, on either side.
		"tx_index == '0' || tx_index == '1' && tx_index == '2'": 1,
		"tx_index == '1' && tx_index == '2' || tx_index == '0'": 1,
		"\ttx_index=='0'||tx_index=='1' \n":                     2,
		`tx_index == "it's || so" && tx_index =~ '.'`:           0,
	} {
		t.Run(expression, func(t *testing.T) {
			s.post(alertsPath+"/notifications/validate",
				object{"expression": []byte(expression), "network": "ethereum-mainnet"}).empty()
			result := bodyOf[backtestRecord](s.post(alertsPath+"/notifications/backtest", trial(expression, 7, 1)).ok())
			require.Len(t, result.Blocks, 1)
			assert.Equal(t, int64(7), result.Blocks[0].BlockNumber)
			assert.Equal(t, "ethereum-mainnet", result.Blocks[0].Network)
			assert.Len(t, result.Blocks[0].MatchedHashes, matched)
			assert.NotNil(t, result.Blocks[0].MatchedHashes)
			assert.Equal(t, matched > 0, result.Blocks[0].Evaluation)
		})
	}
}

func TestInvalidExpressions(t *testing.T) {
	s := startService(t)
	for expression, reason := range map[string]string{
		"": "at 0", "tx_to": "at 0", "tx_to 'a'": "at 0", "'a' == tx_to": "at 0", "tx_to == 'a": "at 0",
		"tx_to = 'a'": "at 0", "(tx_to == 'a')": "at 0", "tx_color == 'a'": "there is no field tx_color, at 0",
		"tx_to == 'a' && tx_to": "at 15", "tx_to == 'a' tx_to == 'b'": "at 0", "tx_to == 'a' ||": "at 15",
		"tx_to =~ '('": "missing closing )", "tx_to == 'ü' || ü": "at 16",
	} {
		t.Run(fmt.Sprintf("%.30s", expression), func(t *testing.T) {
			body := object{"expression": []byte(expression), "network": "ethereum-mainnet"}
			s.post(alertsPath+"/notifications/validate", body).refusedPlainly(400, reason)
			s.post(alertsPath+"/notifications/backtest", trial(expression, 7, 1)).refusedPlainly(400, reason)
		})
	}
	body := object{"expression": []byte("tx_to == 'a'"), "network": "etherium"}
	s.post(alertsPath+"/notifications/validate", body).refusedPlainly(400, "network")
}
