package graphql

import (
	"slices"
	"strings"
)

// Operation is an operation in a document.
type Operation struct {
	// Type is "query", "mutation" or "subscription".
	Type string
	// Name is empty if the operation is anonymous.
	Name string
}

// Operations returns the operations of a document, in order. It reads the outline only and does not validate the
// document.
func Operations(document string) []Operation {
	var found []Operation
	scan := scanner{rest: document}
	depth := 0    // of braces, brackets and parentheses
	begin := true // a definition may begin here
	for token := scan.next(); token != ""; token = scan.next() {
		if depth == 0 && begin {
			switch token {
			case "{":
				found = append(found, Operation{Type: "query"})
			case "query", "mutation", "subscription":
				operation := Operation{Type: token}
				if name := scan.peek(); name != "" && nameStart(name[0]) {
					operation.Name = name
				}
				found = append(found, operation)
			}
		}
		begin = false
		switch token {
		case "{", "(", "[":
			depth++
		case "}", ")", "]":
			depth = max(depth-1, 0)
			begin = token == "}" && depth == 0
		}
	}
	return found
}

// scanner splits a document into tokens: names and single characters. Strings and comments are skipped, so their
// contents do not count as tokens.
type scanner struct{ rest string }

// next returns the next token, or an empty string at the end.
func (s *scanner) next() string {
	for s.rest != "" {
		switch c := s.rest[0]; {
		case c == '#':
			end := strings.IndexAny(s.rest, "\r\n")
			if end < 0 {
				return ""
			}
			s.rest = s.rest[end:]
		case strings.HasPrefix(s.rest, `"""`):
			s.skipBlock()
		case c == '"':
			s.skipText()
		case c <= ' ' || c == ',' || c >= 0x80: // Outside strings, only a byte order mark may be beyond ASCII.
			s.rest = s.rest[1:]
		default:
			end := 1
			if nameStart(c) {
				for end < len(s.rest) && (nameStart(s.rest[end]) || s.rest[end] >= '0' && s.rest[end] <= '9') {
					end++
				}
			}
			token := s.rest[:end]
			s.rest = s.rest[end:]
			return token
		}
	}
	return ""
}

// peek returns the next token without consuming it.
func (s *scanner) peek() string {
	ahead := *s
	return ahead.next()
}

// skipBlock skips a block string, which may contain quotes.
func (s *scanner) skipBlock() {
	s.rest = s.rest[len(`"""`):]
	for s.rest != "" {
		switch {
		case strings.HasPrefix(s.rest, `\"""`):
			s.rest = s.rest[len(`\"""`):]
		case strings.HasPrefix(s.rest, `"""`):
			s.rest = s.rest[len(`"""`):]
			return
		default:
			s.rest = s.rest[1:]
		}
	}
}

// skipText skips a string in quotes. It ends with its line at the latest.
func (s *scanner) skipText() {
	for i := 1; i < len(s.rest); i++ {
		switch s.rest[i] {
		case '\\':
			i++
		case '"', '\n', '\r':
			s.rest = s.rest[i+1:]
			return
		}
	}
	s.rest = ""
}

func nameStart(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// Variables returns the names of the variables that a document defines or uses, without duplicates, in order.
func Variables(document string) []string {
	var found []string
	scan := scanner{rest: document}
	for token := scan.next(); token != ""; token = scan.next() {
		if token != "$" {
			continue
		}
		if name := scan.peek(); name != "" && nameStart(name[0]) && !slices.Contains(found, name) {
			found = append(found, name)
		}
	}
	return found
}
