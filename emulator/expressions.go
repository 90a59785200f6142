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

// checkExpression reads an expression that is to be tried on a network.
func checkExpression(expression []byte, network alertsapi.AlertNetwork) (condition, error) {
	if err := checkNetwork(network); err != nil {
		return nil, err
	}
	parsed, err := parseExpression(string(expression))
	if err != nil {
		return nil, badRequest(err.Error())
	}
	return parsed, nil
}

// ValidateExpression is POST /notifications/validate.
func (h alertsHandlers) ValidateExpression(_ context.Context, r alertsapi.ValidateExpressionRequestObject) (alertsapi.ValidateExpressionResponseObject, error) {
	if _, err := checkExpression(r.Body.Expression, r.Body.Network); err != nil {
		return nil, err
	}
	return alertsapi.ValidateExpression200Response{}, nil
}

// mostBacktests is how many blocks one backtest covers at most.
const mostBacktests = 20

// BacktestExpression is POST /notifications/backtest. It covers the given block and those before it, the newest first
// and none before block 0, which is assumed.
func (h alertsHandlers) BacktestExpression(ctx context.Context, r alertsapi.BacktestExpressionRequestObject) (alertsapi.BacktestExpressionResponseObject, error) {
	parsed, err := checkExpression(r.Body.Expression, r.Body.Network)
	if err != nil {
		return nil, err
	}
	body, err := sent[struct {
		BlockNumber *int64 `json:"block_number"`
	}](ctx)
	switch {
	case err != nil:
		return nil, err
	case body.BlockNumber == nil:
		return nil, badRequest("block_number is required")
	case *body.BlockNumber < 0:
		return nil, badRequest("block_number must not be negative")
	case r.Body.BacktestCount < 1 || r.Body.BacktestCount > mostBacktests:
		return nil, badRequest("backtest_count must be from 1 to 20")
	}
	result := alertsapi.BacktestExpression200JSONResponse{ExpressionResult: []alertsapi.BacktestBlock{}}
	first := max(r.Body.BlockNumber-int64(r.Body.BacktestCount)+1, 0)
	for number := r.Body.BlockNumber; number >= first; number-- {
		block := blockOf(string(r.Body.Network), number)
		outcome := alertsapi.BacktestBlock{BlockNumber: number, Network: string(r.Body.Network), MatchedHashes: []string{}}
		for _, place := range matches(parsed, block) {
			outcome.Evaluation = true
			outcome.MatchedHashes = append(outcome.MatchedHashes, block[place]["tx_hash"])
		}
		result.ExpressionResult = append(result.ExpressionResult, outcome)
	}
	return result, nil
}

// token is a piece of an expression: an operator, a bracket, the name of a field, or a text in quotes. The end of the
// expression is a token without text.
type token struct {
	kind tokenKind
	text string
	at   int
}

type tokenKind int

const (
	tokenEnd tokenKind = iota
	tokenName
	tokenText
	tokenSymbol
)

// symbols are the operators and brackets. None begins like another.
var symbols = []string{"==", "!=", "=~", "&&", "||", "(", ")"}

// tokens takes an expression apart.
func tokens(expression string) ([]token, error) {
	var list []token
	for at := 0; at < len(expression); {
		c := expression[at]
		if strings.IndexByte(" \t\r\n", c) >= 0 {
			at++
			continue
		}
		next, err := nextToken(expression, at)
		if err != nil {
			return nil, err
		}
		list = append(list, next)
		at += len(next.text)
		if next.kind == tokenText {
			at += len(`""`)
		}
	}
	return append(list, token{kind: tokenEnd, at: len(expression)}), nil
}

func nextToken(expression string, at int) (token, error) {
	rest := expression[at:]
	for _, symbol := range symbols {
		if strings.HasPrefix(rest, symbol) {
			return token{tokenSymbol, symbol, at}, nil
		}
	}
	if quote := rest[:1]; quote == `'` || quote == `"` {
		text, _, closed := strings.Cut(rest[1:], quote)
		if !closed {
			return token{}, fmt.Errorf("expression: the text at %d has no end", at)
		}
		return token{tokenText, text, at}, nil
	}
	isName := func(c rune) bool { return c == '_' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9' }
	if name := rest[:len(rest)-len(strings.TrimLeftFunc(rest, isName))]; name != "" {
		return token{tokenName, name, at}, nil
	}
	return token{}, fmt.Errorf("expression: unexpected %.1q at %d", rest, at)
}

// condition is an expression, ready to be evaluated on a transaction.
type condition func(transaction) bool

// longestExpression bounds an expression, and so the depth of its brackets. The contract states no limit.
const longestExpression = 10_000

// parseExpression reads an expression of this language, which is a small part of the service's own:
//
//	or         = and { "||" and } .
//	and        = comparison { "&&" comparison } .
//	comparison = "(" or ")" | field operator text .
//	operator   = "==" | "!=" | "=~" .
//
// A text stands in single or double quotes and has no escapes. The fields are those of the made-up blocks:
// block_number, tx_index, tx_hash, tx_from, tx_to and tx_value, all of them compared as text, letter by letter. The
// operator =~ takes a regular expression as package regexp does, which may match anywhere in the field.
func parseExpression(text string) (condition, error) {
	if len(text) > longestExpression {
		return nil, fmt.Errorf("expression: longer than %d bytes", longestExpression)
	}
	list, err := tokens(text)
	if err != nil {
		return nil, err
	}
	if len(list) == 1 {
		return nil, errors.New("expression: is required")
	}
	p := parser{rest: list}
	parsed, err := p.or()
	if err != nil {
		return nil, err
	}
	if p.rest[0].kind != tokenEnd {
		return nil, p.unexpected("&& or ||")
	}
	return parsed, nil
}

type parser struct {
	rest []token // It always ends with a tokenEnd, which is never taken.
	last token
}

func (p *parser) take() token {
	p.last, p.rest = p.rest[0], p.rest[1:]
	return p.last
}

// takeSymbol takes the next token if it is this symbol.
func (p *parser) takeSymbol(symbol string) bool {
	if p.rest[0].kind == tokenSymbol && p.rest[0].text == symbol {
		p.take()
		return true
	}
	return false
}

// unexpected complains about the next token.
func (p *parser) unexpected(wanted string) error {
	next := p.rest[0]
	if next.kind == tokenEnd {
		return fmt.Errorf("expression: unexpected end after %s, wanted %s", p.last.text, wanted)
	}
	return fmt.Errorf("expression: unexpected %s at %d, wanted %s", next.text, next.at, wanted)
}

func (p *parser) or() (condition, error) {
	left, err := p.and()
	for err == nil && p.takeSymbol("||") {
		var right condition
		before := left
		right, err = p.and()
		left = func(t transaction) bool { return before(t) || right(t) }
	}
	return left, err
}

func (p *parser) and() (condition, error) {
	left, err := p.comparison()
	for err == nil && p.takeSymbol("&&") {
		var right condition
		before := left
		right, err = p.comparison()
		left = func(t transaction) bool { return before(t) && right(t) }
	}
	return left, err
}

func (p *parser) comparison() (condition, error) {
	if p.takeSymbol("(") {
		inner, err := p.or()
		if err == nil && !p.takeSymbol(")") {
			err = p.unexpected(")")
		}
		return inner, err
	}
	if p.rest[0].kind != tokenName {
		return nil, p.unexpected("a field")
	}
	field := p.take()
	if _, known := blockOf("", 0)[0][field.text]; !known {
		return nil, fmt.Errorf("expression: there is no field %s, at %d", field.text, field.at)
	}
	compare, known := operators[p.rest[0].text]
	if !known || p.rest[0].kind != tokenSymbol {
		return nil, p.unexpected("==, != or =~")
	}
	p.take()
	if p.rest[0].kind != tokenText {
		return nil, p.unexpected("a text in quotes")
	}
	return compare(field.text, p.take().text)
}

// operators make a condition of a field and a text.
var operators = map[string]func(field, text string) (condition, error){
	"==": func(field, text string) (condition, error) {
		return func(t transaction) bool { return t[field] == text }, nil
	},
	"!=": func(field, text string) (condition, error) {
		return func(t transaction) bool { return t[field] != text }, nil
	},
	"=~": func(field, text string) (condition, error) {
		pattern, err := regexp.Compile(text)
		if err != nil {
			return nil, fmt.Errorf("expression: %w", err)
		}
		return func(t transaction) bool { return pattern.MatchString(t[field]) }, nil
	},
}

// transaction is what an expression is evaluated on: the values of its fields by their names.
type transaction map[string]string

// transactionsInBlock is the number of transactions in every block.
const transactionsInBlock = 4

// blockOf makes up a block. Every network has the same endless chain of them, apart from the hashes, and they follow a
// rule that a test can reckon with: see Emulator.Deliver.
func blockOf(network string, number int64) []transaction {
	block := make([]transaction, transactionsInBlock)
	for i := range block {
		place := fmt.Sprintf("%s/%d/%d", network, number, i)
		block[i] = transaction{
			"block_number": strconv.FormatInt(number, 10),
			"tx_index":     strconv.Itoa(i),
			"tx_hash":      fmt.Sprintf("0x%x", sha256.Sum256([]byte(place))),
			"tx_from":      address(100 + (number%10+int64(i))%10),
			"tx_to":        address((number%10 + int64(i)) % 10),
			"tx_value":     fmt.Sprintf("%d00000000000000000", i+1),
		}
	}
	return block
}

func address(number int64) string { return fmt.Sprintf("0x%040d", number) }

// matches returns the places in a block of the transactions for which the condition holds.
func matches(holds condition, block []transaction) []int {
	var places []int
	for i, t := range block {
		if holds(t) {
			places = append(places, i)
		}
	}
	return places
}
