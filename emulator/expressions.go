package emulator

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/alertsapi"
)

// condition is a parsed expression.
type condition func(transaction) bool

// maxExpression is the largest size of an expression. It bounds the depth of brackets. The contract states no limit.
const maxExpression = 10_000

// parseExpression parses an expression. The language is a small part of the service's own:
//
//	or         = and { "||" and } .
//	and        = comparison { "&&" comparison } .
//	comparison = "(" or ")" | field operator text .
//	operator   = "==" | "!=" | "=~" .
//
// A text is in single or double quotes, without escapes. The fields are those of the made-up blocks: block_number,
// tx_index, tx_hash, tx_from, tx_to and tx_value. They are compared as text, and case matters. The operator =~ takes a
// regular expression of package regexp, which may match a part of the field.
func parseExpression(text string) (condition, error) {
	p := parser{rest: text, length: len(text)}
	p.next()
	switch {
	case len(text) > maxExpression:
		return nil, fmt.Errorf("expression: longer than %d bytes", maxExpression)
	case p.token == "" && p.rest == "":
		return nil, errors.New("expression: is required")
	}
	parsed, err := p.or()
	if err == nil && (p.token != "" || p.rest != "") {
		err = p.unexpected("&& or ||")
	}
	return parsed, err
}

// parser has the next token of an expression and the text behind it. The token is empty at the end, and before a text
// that is no token.
type parser struct {
	token, last, rest string
	length            int
}

var tokens = regexp.MustCompile(`^(?:==|!=|=~|&&|\|\||[()]|'[^']*'|"[^"]*"|[a-z0-9_]+)`)

// next takes the token, and finds the one behind it.
func (p *parser) next() string {
	p.last = p.token
	p.rest = strings.TrimLeft(p.rest, " \t\r\n")
	p.token = tokens.FindString(p.rest)
	p.rest = p.rest[len(p.token):]
	return p.last
}

// take takes the token if it is this one.
func (p *parser) take(token string) bool {
	if p.token != token {
		return false
	}
	p.next()
	return true
}

func (p *parser) unexpected(wanted string) error {
	at := p.length - len(p.rest) - len(p.token)
	switch {
	case p.token != "":
		return fmt.Errorf("expression: unexpected %s at %d, wanted %s", strings.Trim(p.token, `'"`), at, wanted)
	case p.rest == "":
		return fmt.Errorf("expression: unexpected end after %s, wanted %s", strings.Trim(p.last, `'"`), wanted)
	case strings.ContainsAny(p.rest[:1], `'"`):
		return fmt.Errorf("expression: the text at %d has no end", at)
	}
	return fmt.Errorf("expression: unexpected %.1q at %d", p.rest, at)
}

func (p *parser) or() (condition, error) {
	left, err := p.and()
	if err != nil || !p.take("||") {
		return left, err
	}
	right, err := p.or()
	return func(t transaction) bool { return left(t) || right(t) }, err
}

func (p *parser) and() (condition, error) {
	left, err := p.comparison()
	if err != nil || !p.take("&&") {
		return left, err
	}
	right, err := p.and()
	return func(t transaction) bool { return left(t) && right(t) }, err
}

func (p *parser) comparison() (condition, error) {
	if p.take("(") {
		inner, err := p.or()
		if err == nil && !p.take(")") {
			err = p.unexpected(")")
		}
		return inner, err
	}
	if p.token == "" || strings.ContainsAny(p.token[:1], `'"()=!&|`) {
		return nil, p.unexpected("a field")
	}
	at := p.length - len(p.rest) - len(p.token)
	field := p.next()
	if _, known := blockOf("", 0)[0][field]; !known {
		return nil, fmt.Errorf("expression: there is no field %s, at %d", field, at)
	}
	operator := p.token
	if operator != "==" && operator != "!=" && operator != "=~" {
		return nil, p.unexpected("==, != or =~")
	}
	p.next()
	if p.token == "" || !strings.ContainsAny(p.token[:1], `'"`) {
		return nil, p.unexpected("a text in quotes")
	}
	text := p.next()
	text = text[1 : len(text)-1]
	if operator == "=~" {
		pattern, err := regexp.Compile(text)
		if err != nil {
			return nil, fmt.Errorf("expression: %w", err)
		}
		return func(t transaction) bool { return pattern.MatchString(t[field]) }, nil
	}
	return func(t transaction) bool { return (t[field] == text) == (operator == "==") }, nil
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
		if c(t) {
			indexes, hashes = append(indexes, t["tx_index"]), append(hashes, t["tx_hash"])
		}
	}
	return indexes, hashes
}

// checkExpression parses an expression for a network.
func checkExpression(expression []byte, network alertsapi.AlertNetwork) (condition, error) {
	if !network.Valid() {
		return nil, badNetwork
	}
	parsed, err := parseExpression(string(expression))
	if err != nil {
		return nil, badRequest(err.Error())
	}
	return parsed, nil
}

// ValidateExpression is POST /notifications/validate.
func (h alertsHandlers) ValidateExpression(_ context.Context, r alertsapi.ValidateExpressionRequestObject) (
	alertsapi.ValidateExpressionResponseObject, error) {
	_, err := checkExpression(r.Body.Expression, r.Body.Network)
	return alertsapi.ValidateExpression200Response{}, err
}

// maxBacktests is the largest number of blocks in a backtest.
const maxBacktests = 20

// BacktestExpression is POST /notifications/backtest. It covers the given block and the blocks before it, the newest
// first. There is none before block 0 (assumed).
func (h alertsHandlers) BacktestExpression(ctx context.Context, r alertsapi.BacktestExpressionRequestObject) (
	alertsapi.BacktestExpressionResponseObject, error) {
	parsed, err := checkExpression(r.Body.Expression, r.Body.Network)
	if err != nil {
		return nil, err
	}
	body, err := decodeBody[struct {
		BlockNumber *int64 `json:"block_number"`
	}](ctx)
	switch {
	case err != nil:
		return nil, err
	case body.BlockNumber == nil:
		return nil, badRequest("block_number is required")
	case *body.BlockNumber < 0:
		return nil, badRequest("block_number must not be negative")
	case r.Body.BacktestCount < 1 || r.Body.BacktestCount > maxBacktests:
		return nil, badRequest("backtest_count must be from 1 to 20")
	}
	result := alertsapi.BacktestExpression200JSONResponse{ExpressionResult: []alertsapi.BacktestBlock{}}
	first := max(*body.BlockNumber-int64(r.Body.BacktestCount)+1, 0)
	for number := *body.BlockNumber; number >= first; number-- {
		_, hashes := parsed.matches(r.Body.Network, number)
		result.ExpressionResult = append(result.ExpressionResult, alertsapi.BacktestBlock{
			BlockNumber: number, Network: string(r.Body.Network), MatchedHashes: hashes, Evaluation: len(hashes) > 0,
		})
	}
	return result, nil
}
