package envelope

import (
	"encoding"
	"errors"
	"math"
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
	var set func(reflect.Value, string) error
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
	if err := set(target, literal.String()); err != nil {
		return &json.SemanticError{JSONKind: kind, GoType: target.Type(), Err: err}
	}
	return nil
})

var errLoss = errors.New("something would be lost")

func setText(target reflect.Value, literal string) error {
	target.SetString(literal)
	return nil
}

func setInteger(target reflect.Value, literal string) error {
	digits, whole := integer(literal)
	value, err := strconv.ParseInt(digits, 10, target.Type().Bits())
	if !whole || err != nil {
		return errLoss
	}
	target.SetInt(value)
	return nil
}

func setFloat(target reflect.Value, literal string) error {
	value, err := strconv.ParseFloat(literal, target.Type().Bits())
	if !isNumber(literal) || err != nil {
		return errLoss
	}
	target.SetFloat(value)
	return nil
}

// isNumber reports whether a text is spelled as a JSON number. That leaves out what strconv reads beside it, such as
// underscores, infinities and spaces.
func isNumber(text string) bool {
	value := jsontext.Value(text)
	return value.Kind() == '0' && value.IsValid() && strings.TrimSpace(text) == text
}

// integer returns the plain digits of a number with an integer value, such as 5000 of 5.0e3, and false for any other
// text. It works on the digits alone: an exponent of any size costs nothing.
func integer(literal string) (string, bool) {
	if !isNumber(literal) {
		return "", false
	}
	unsigned, negative := strings.CutPrefix(literal, "-")
	mantissa, exponent, _ := strings.Cut(strings.ToLower(unsigned), "e")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	significant := strings.TrimRight(digits, "0")
	if significant == "" {
		return "0", true
	}
	shift := 0
	if exponent != "" {
		var err error
		if shift, err = strconv.Atoi(exponent); err != nil || shift > math.MaxInt32 || shift < math.MinInt32 {
			return "", false
		}
	}
	const longest = len("9223372036854775807")
	zeros := len(digits) - len(significant) - len(fraction) + shift
	if zeros < 0 || len(significant)+zeros > longest {
		return "", false
	}
	significant += strings.Repeat("0", zeros)
	if negative {
		significant = "-" + significant
	}
	return significant, true
}
