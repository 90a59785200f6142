package emulator

import (
	"context"
	"crypto/sha256"
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/alertsapi"
)

// condition is a parsed expression: one of its alternatives holds if all comparisons of it hold.
type condition [][]comparison

// comparison compares a field of a transaction with a text.
type comparison struct {
	field, operator, text string
	pattern               *regexp.Regexp // nil unless the operator is =~.
}

// comparisonForm matches a comparison and the operator behind it, which is empty at the end.
var comparisonForm = regexp.MustCompile(`^\s*([a-z_]+)\s*(==|!=|=~)\s*(?:'([^']*)'|"([^"]*)")\s*(&&|\|\||$)`)

// parseExpression parses an expression. The language is a small part of the service's own:
//
//	expression = comparison { ( "&&" | "||" ) comparison } .
//	comparison = field ( "==" | "!=" | "=~" ) text .
//
// && binds closer than ||, and there are no brackets. A text is in single or double quotes, without escapes. The fields
// are those of the made-up blocks: block_number, tx_index, tx_hash, tx_from, tx_to and tx_value. They are compared as
// text, and case matters. The operator =~ takes a regular expression of package regexp, which may match a part of the
// field.
func parseExpression(text string) (condition, error) {
	parsed := condition{nil}
	for rest := text; ; {
		at := len(text) - len(rest)
		form := comparisonForm.FindStringSubmatch(rest)
		if form == nil {
			return nil, fmt.Errorf("expression: there is no comparison such as tx_to == 'x' at %d", at)
		}
		c := comparison{field: form[1], operator: form[2], text: form[3] + form[4]}
		if _, known := blockOf("", 0)[0][c.field]; !known {
			return nil, fmt.Errorf("expression: there is no field %s, at %d", c.field, at)
		}
		if c.operator == "=~" {
			var err error
			if c.pattern, err = regexp.Compile(c.text); err != nil {
				return nil, fmt.Errorf("expression: %w", err)
			}
		}
		last := len(parsed) - 1
		parsed[last] = append(parsed[last], c)
		switch form[5] {
		case "":
			return parsed, nil
		case "||":
			parsed = append(parsed, nil)
		}
		rest = rest[len(form[0]):]
	}
}

func (c comparison) holds(t transaction) bool {
	if c.pattern != nil {
		return c.pattern.MatchString(t[c.field])
	}
	return (t[c.field] == c.text) == (c.operator == "==")
}

// holds reports whether the condition holds for a transaction.
func (c condition) holds(t transaction) bool {
	return slices.ContainsFunc(c, func(all []comparison) bool {
		return !slices.ContainsFunc(all, func(one comparison) bool { return !one.holds(t) })
	})
}

// transaction is a transaction of a made-up block: its fields by name.
type transaction map[string]string

// blockOf makes up the four transactions of a block, as documented at Emulator.Deliver. Networks differ only in the
// hashes.
func blockOf(network string, number int64) []transaction {
	address := func(n int64) string { return fmt.Sprintf("0x%040d", n) }
	block := make([]transaction, 4)
	for i := range block {
		place := fmt.Sprintf("%s/%d/%d", network, number, i)
		block[i] = transaction{
			"block_number": strconv.FormatInt(number, 10), "tx_index": strconv.Itoa(i),
			"tx_hash":  fmt.Sprintf("0x%x", sha256.Sum256([]byte(place))),
			"tx_from":  address(100 + (number%10+int64(i))%10),
			"tx_to":    address((number%10 + int64(i)) % 10),
			"tx_value": fmt.Sprintf("%d00000000000000000", i+1),
		}
	}
	return block
}

// matches returns the indexes and the hashes of a block's transactions for which the condition holds.
func (c condition) matches(network alertsapi.AlertNetwork, number int64) (indexes, hashes []string) {
	hashes = []string{}
	for _, t := range blockOf(string(network), number) {
		if c.holds(t) {
			indexes, hashes = append(indexes, t["tx_index"]), append(hashes, t["tx_hash"])
		}
	}
	return indexes, hashes
}

// ValidateExpression is POST /notifications/validate.
func (h alertsHandlers) ValidateExpression(_ context.Context, body *alertsapi.ValidateExpressionRequest) error {
	if _, err := parseExpression(string(body.Expression)); err != nil {
		return badRequest(err.Error())
	}
	return nil
}

// BacktestExpression is POST /notifications/backtest. It covers the given block and the blocks before it, the newest
// first. There is none before block 0 (assumed).
func (h alertsHandlers) BacktestExpression(_ context.Context, body *alertsapi.BacktestExpressionRequest) (
	*alertsapi.BacktestResult, error) {
	parsed, err := parseExpression(string(body.Expression))
	if err != nil {
		return nil, badRequest(err.Error())
	}
	result := &alertsapi.BacktestResult{ExpressionResult: []alertsapi.BacktestBlock{}}
	for number := body.BlockNumber; number >= max(body.BlockNumber-int64(body.BacktestCount)+1, 0); number-- {
		_, hashes := parsed.matches(body.Network, number)
		result.ExpressionResult = append(result.ExpressionResult, alertsapi.BacktestBlock{
			BlockNumber: number, Network: string(body.Network), MatchedHashes: hashes, Evaluation: len(hashes) > 0,
		})
	}
	return result, nil
}
