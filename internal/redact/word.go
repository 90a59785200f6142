package redact

// longestWord is more than words of a sentence have.
const longestWord = 20

// isWord reports whether what stands at a place could be a word of a sentence, a name or a place in a record, such as
// "expired", "invalid_token" or "endpoint.label": letters, and not in random case.
func (s *scanner) isWord(from int) bool {
	i, capitals := from, 0
	for ; i-from < longestWord && s.isAt(i, letter|dash) || i > from && s.has(i, ".") && s.isAt(i+1, letter); i++ {
		if i > from && s.plain[i-1] >= 'a' && s.plain[i] < 'a' && s.isAt(i, letter) {
			capitals++
		}
	}
	s.work += i - from + 1
	return i > from && capitals < 3 && (i == len(s.plain) || s.isAt(i, endsValue|punctuation) || s.has(i, "]"))
}

// isHarmless reports whether a value is none, or one of those that switches and the like have.
func isHarmless(value string) bool {
	switch value {
	case "", "enabled", "disabled", "true", "false", "null", "nil", "none", "None", "undefined":
		return true
	}
	return false
}
