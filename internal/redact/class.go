package redact

// class is a set of bytes: one bit, or several, of a table.
type class uint16

const (
	letter      class = 1 << iota // Those beyond ASCII are letters too.
	digit                         //
	dash                          // Joins the parts of a name.
	inPath                        // What else a path parameter may have in it.
	inKey                         // What else a credential may have in it.
	blank                         //
	lineEnd                       //
	quote                         // Encloses a text.
	angle                         // Encloses a tag.
	separator                     // Stands between a name and its value.
	opening                       // Opens a list or a record.
	delimiter                     // Stands behind a value without quotes.
	notInUser                     // What else cannot stand between a colon and an @.
	punctuation                   // Stands behind the last word of a sentence.

	alphanumeric = letter | digit
	inName       = letter | digit | dash
	inSegment    = inName | inPath
	inCredential = inSegment | inKey
	white        = blank | lineEnd
	endsAddress  = white | quote | angle
	endsValue    = white | quote | angle | delimiter
	endsUser     = endsValue | notInUser
	endsLine     = lineEnd | quote | angle
)

var classes = func() (table [256]class) {
	for set, chars := range map[class]string{
		letter:      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
		digit:       "0123456789",
		dash:        "-_",
		inPath:      ".~+",
		inKey:       "/=%:@",
		blank:       " \t\v\f",
		lineEnd:     "\n\r",
		quote:       "\"'`",
		angle:       "<>",
		separator:   ":=",
		opening:     "[{",
		delimiter:   "&;,",
		notInUser:   "/()@",
		punctuation: ".,;:!?)}",
	} {
		for _, c := range []byte(chars) {
			table[c] |= set
		}
	}
	for c := 0x80; c < len(table); c++ {
		table[c] = letter
	}
	return table
}()

func is(c byte, set class) bool { return classes[c]&set != 0 }

// consists reports whether all bytes of a text are of a set.
func consists(text string, set class) bool {
	for i := range len(text) {
		if !is(text[i], set) {
			return false
		}
	}
	return true
}
