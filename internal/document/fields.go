package document

// Fields returns the names that the fields at the top of the operations have in a response. It returns nil where the
// document alone does not list them in one place, because fragments are among them.
func Fields(document string) map[string]bool {
	fields := map[string]bool{}
	scan := scanner{rest: document}
	begins := "" // The token that the definition begins with.
	for token := scan.next(); token != ""; token = scan.next() {
		if begins == "" {
			begins = token
		}
		switch token {
		case "(":
			scan.skipTo(")")
		case "{":
			if begins == "fragment" {
				scan.skipTo("}")
			} else if !scan.fields(fields) {
				return nil
			}
			begins = ""
		}
	}
	return fields
}

// fields adds the names of the fields up to the end of a selection, and reports whether those are all.
func (s *scanner) fields(into map[string]bool) bool {
	for token := s.next(); token != "" && token != "}"; token = s.next() {
		switch {
		case token == ".":
			return false
		case token == "@":
			s.next() // The directive's name.
		case token == "(":
			s.skipTo(")")
		case token == "{":
			s.skipTo("}")
		case nameStart(token[0]):
			into[token] = true
			if s.peek() == ":" {
				s.next()
				s.next() // Behind an alias, the field's own name.
			}
		}
	}
	return true
}

// skipTo skips to the bracket that ends what another one has begun.
func (s *scanner) skipTo(end string) {
	depth := 1
	begin := map[string]string{")": "(", "}": "{"}[end]
	for token := s.next(); token != ""; token = s.next() {
		switch token {
		case begin:
			depth++
		case end:
			depth--
		}
		if depth == 0 {
			return
		}
	}
}
