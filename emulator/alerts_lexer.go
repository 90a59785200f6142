package emulator

import (
	"fmt"
	"strings"
)

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
