package reply

import (
	"encoding"
	"errors"
	"reflect"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// slips reads a value in the spelling of another kind where nothing is lost by it: a number for a text, which keeps its
// spelling, a text for a number, and an integer with a point or an exponent. It asks for the kind of a field and not
// for its type, so that named texts and numbers, and those behind pointers and in lists, are read alike. Types that
// read themselves are left to themselves.
var slips = json.UnmarshalFromFunc(func(dec *jsontext.Decoder, into any) error {
	switch into.(type) {
	case json.UnmarshalerFrom, json.Unmarshaler, encoding.TextUnmarshaler:
		return errors.ErrUnsupported
	}
	target, kind := reflect.ValueOf(into).Elem(), dec.PeekKind()
	var set func(reflect.Value, string) bool
	switch target.Kind() {
	case reflect.String:
		if kind == '0' {
			set = setText
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		if kind == '0' || kind == '"' {
			set = setInteger
		}
	case reflect.Float32, reflect.Float64:
		if kind == '"' {
			set = setFloat
		}
	}
	if set == nil {
		return errors.ErrUnsupported // The library reads it, or says what is wrong with it.
	}
	literal, err := dec.ReadToken()
	if err != nil {
		return err
	}
	if !set(target, literal.String()) {
		return &json.SemanticError{JSONKind: kind, GoType: target.Type()}
	}
	return nil
})

// setText, setInteger and setFloat set a value to what a literal says, and report whether nothing is lost by it.
func setText(target reflect.Value, literal string) bool {
	target.SetString(literal)
	return true
}

func setInteger(target reflect.Value, literal string) bool {
	value, err := strconv.ParseInt(integer(literal), 10, target.Type().Bits())
	if err != nil {
		return false
	}
	target.SetInt(value)
	return true
}

func setFloat(target reflect.Value, literal string) bool {
	value, err := strconv.ParseFloat(literal, target.Type().Bits())
	if !IsNumber(literal) || err != nil {
		return false
	}
	target.SetFloat(value)
	return true
}

// IsNumber reports whether a text is spelled as a JSON number. That leaves out what strconv reads beside it, such as
// underscores, infinities and spaces.
func IsNumber(text string) bool {
	value := jsontext.Value(text)
	return value.Kind() == '0' && value.IsValid() && strings.TrimSpace(text) == text
}

// integer returns the plain digits of a number with an integer value, such as 5000 of 5.0e3, and nothing for any other
// text. It works on the digits alone: an exponent of any size costs nothing.
func integer(literal string) string {
	if !IsNumber(literal) {
		return ""
	}
	unsigned, negative := strings.CutPrefix(literal, "-")
	mantissa, exponent, _ := strings.Cut(strings.ToLower(unsigned), "e")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	significant := strings.TrimRight(digits, "0")
	if significant == "" {
		return "0"
	}
	shift := 0
	if exponent != "" {
		var err error
		if shift, err = strconv.Atoi(exponent); err != nil {
			return ""
		}
	}
	const longest = len("9223372036854775807")
	zeros := len(digits) - len(significant) - len(fraction) + shift
	if zeros < 0 || zeros > longest-len(significant) { // They may have overflown, to the other side.
		return ""
	}
	significant += strings.Repeat("0", zeros)
	if negative {
		significant = "-" + significant
	}
	return significant
}
