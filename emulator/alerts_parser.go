package emulator

import (
	"errors"
	"fmt"
	"regexp"
)

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
