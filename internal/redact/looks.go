package redact

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// look is a text that looks like a credential.
type look struct {
	signs   []string      // One of them is in every such text, in lower case.
	pattern func() finder // Compiled once, if it is needed.
}

// finder is a *regexp.Regexp. Tests count what it reads.
type finder interface{ FindStringSubmatchIndex(text string) []int }

// as returns the look of a secret between two texts. In its place may be a harmless text, in which group 1 is not read
// again.
func as(signs, before, harmless, secret, after string) look {
	pattern := "(" + before + ")(?:" + cmp.Or(harmless, `([^\s\S])`) + "|(?:" + secret + ")(" + after + "))"
	return look{strings.Split(signs, "|"), sync.OnceValue(func() finder { return regexp.MustCompile(pattern) })}
}

// Names. A suspect may be another word too, as in myKey, but not in monkey.
const (
	secretName = `(?i:token|secret|password|passwd|passphrase|pwd|credential|jwt|session[-_]?id|mnemonic|cookie|` +
		`authorization|(?:api|secret|private|access|signing|encryption|auth)[-_]?key|key[-_]?pem)` + nameEnd
	suspectName = `(?:(?:\b|[\d_-])(?i:key|auth|bearer|session|sid|sig|signature|pass|passcode)|` +
		`[a-z](?:K(?i:ey)|A(?i:uth)|B(?i:earer)|S(?i:ession|id|ig|ignature)|P(?i:ass|asscode)))` + nameEnd
	anyName    = "(?:" + secretName + "|" + suspectName + ")"
	headerName = `\w-(?:[\w-]*?` + secretName + "|(?i:key))"
	nameEnd    = `(?i:s?(?:[-_]?value)?s?[\d_-]*)` // As in tokens, tokenValue and token_2.
	nameSigns  = "token|secret|pass|pwd|credential|jwt|session|mnemonic|cookie|key|auth|sid|sig|bearer"
	colon      = quote + `?\s*:[:>]*\s*`
	equals     = quote + `?\s*:*=[:=>]*\s*`
	assign     = "(?:" + colon + "|" + equals + ")"
)

// Texts that a secret may be. An address ends before the end of its sentence.
const (
	quote    = "[\"'`]"
	inQuotes = "(?:\\\\.|[^\"'`\\\\]|" + quote + "[^\"'`\\s,:;})&<\\]])+" // A quote is the last if it ends a value.
	bare     = `[^\s&;,"'<>\[{:=\\][^\s&;,"'<>]*`
	opaque   = `[\w.~+/=:@-]`
	address  = "[^\\s\"'`<>]*[^\\s\"'`<>.,;:!?)}]"
	random   = `(?i:(?:[a-z]+\d+){2}[a-z]|(?:\d+[a-z]+){2}\d)`
	unlike   = "(?:" + random + `|(?i:[a-z][a-z\d]{31}|[a-z\d]{31}[a-z]|[a-f][a-f\d]{15}|\d[a-f\d]{14,}[a-f]))`

	// Harmless texts: values of switches, words, public hashes, addresses and UUIDs, and usual hosts.
	enabled   = `(?i:enabled|disabled|true|false|null|nil|none|undefined)`
	word      = `\p{Lu}*[\p{Ll}\p{Lo}_.-]{0,20}(?:\p{Lu}+[\p{Ll}_.-]{0,20}){0,2}` // Its case is not random.
	wordEnd   = "[.,;:!?)}\\]]*(?:[\\s\"'`&<>]|$)"
	public    = `(?i:0x[\da-f]+|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})`
	publicEnd = `(?:[^\w-]|$)`
	anyHost   = `(?:\[redacted\]@)?(?:[\pL\w.-]*|\[[\da-fA-F:.]+\])(?::\d*)?`
	hostEnd   = "[.,;:!?)}]*(?:[\\s\"'`<>/?#\\\\]|$)"
)

// looks are the texts that Text hides.
var looks = []look{
	// The user, an unusual host, and the path of a URL. A backslash counts as a slash.
	as("://", `://`, "", `[^\s"'<>/?#\\]*`, "@"),
	as("://", `://`, "()"+anyHost+hostEnd, address, ""),
	as("://", `://`+anyHost+`[/?#\\]+`, "", address, ""),
	// The path after a host without a scheme. A number alone may be the size of a network.
	as("/", `(?:^|[^\w./-]|//|:/)(?:(?:(?:[\w-]+\.)+[a-zA-Z]{2,}|localhost|\d+(?:\.\d+){3})(?::\d+)?|`+
		`[\w-]*[a-zA-Z][\w-]*:\d+)/`, `(\d+)`+wordEnd, address, ""),
	// Headers with values of several words.
	as("authorization", "(?i:authorization)"+assign+quote+"?(?i:bearer|basic)[ +]+", "", bare, ""),
	as("authorization", "(?i:authorization)"+assign+quote+"?(?i:digest|token|api-?key|key|negotiate|ntlm|oauth|hawk|"+
		`hmac|signature|aws4)[\w-]*[ +]+`, "", `[^\r\n]+`, ""),
	as("cookie", "(?i:cookies?)"+assign+quote+"?", "", `[^\s"'=;,]+=[^\r\n]*`, ""),
	// A credential after the name of its scheme.
	as("bearer", `\bBearer[\s+]+`, "()(?i:authenticat|authoriz|credential)", opaque+"{8,}", ""),
	as("bearer|basic", `\b(?:bearer|BEARER|[bB]asic|BASIC)[\s+]+`, "()"+word+wordEnd, opaque+"{8,}", ""),
	// A value with the name of a secret: in a tag, in quotes, a list or record with all that follows, after an equals
	// sign, after a colon that may be one of a sentence, and after a space.
	as("</", `<[\w:-]*`+secretName+">", "", "[^<]+", "</"),
	as(nameSigns, "(?:"+secretName+assign+"|"+suspectName+equals+")"+quote,
		"()(?:"+enabled+`|[{}()<>\[\].,;:!?\s]*)`+quote, inQuotes, ""),
	as(nameSigns, secretName+assign, `()(?:\[\s*\]|\{\s*\}|\[redacted\])`, `[\[{](?s:.*)`, ""),
	as(nameSigns, "(?:"+anyName+equals+"|"+headerName+colon+")", "()"+enabled+wordEnd, bare, ""),
	as(nameSigns, "(?:"+secretName+colon+"|"+suspectName+colon+quote+"?)", "()(?:"+word+`|[\d.]{1,6})`+wordEnd, bare, ""),
	as(nameSigns, anyName+quote+`?\s+`+quote+"?", "()"+public+publicEnd, opaque+"*"+random+opaque+"*", ""),
	// A JSON Web Token, a password between a user and a host, and a path parameter and a long word that look random.
	as("eyj", `\b|_`, "", `eyJ[\w-]{8,}[\w.-]*`, ""),
	as("@", "", "(mailto:)", `[\w-]+:[^\s/()@"'<>&;,]+`, `@[\w\[{]`),
	as("/", "/", `(/[\w-]+[.:][\w.:-]*|`+public+")"+publicEnd, `[\w.~+-]*`+unlike+`[\w.~+-]*`, ""),
	as("", `\b`, "("+public+")"+publicEnd, random+`[\w-]{30,}|[\w-]{15,}`+random+`[\w-]{15,}|[\w-]{30,}`+random, ""),
}

// looksOfCursors are the texts that no opaque text contains. One part of base64 alone may be any JSON.
var looksOfCursors = []look{as("://", "", "", "://", ""), as("eyj", "", "", `eyJ[\w-]+\.[\w-]*\.`, "")}

// hideLooks hides the texts with one of the looks.
func hideLooks(text string, looks []look) string {
	lower := strings.ToLower(text)
	for _, look := range looks {
		if !slices.ContainsFunc(look.signs, func(sign string) bool { return strings.Contains(lower, sign) }) {
			continue
		}
		var out strings.Builder
		find := look.pattern().FindStringSubmatchIndex
		for m := find(text); m != nil; m = find(text) {
			shown, next := Placeholder, m[6]
			if isHarmless := m[5] >= 0; isHarmless {
				shown, next = text[m[3]:m[5]], m[5]
			}
			out.WriteString(text[:m[3]] + shown)
			text = text[next:]
		}
		text = out.String() + text
	}
	return text
}
