package scalar

import (
	"encoding/json"

	"github.com/go-json-experiment/json/jsontext"
)

// Texts is one text or several. The service spells it as a JSON string where there is one, and as an array of strings
// where there are several, both within one response. Nil means that there is none.
type Texts []string

// MarshalJSON returns a JSON string for one text, an array for several or for an empty list, and null for nil.
func (t Texts) MarshalJSON() ([]byte, error) {
	if len(t) == 1 {
		return quoted(t[0]), nil
	}
	return json.Marshal([]string(t))
}

// UnmarshalJSON reads a JSON string, an array of strings, or null. A number is read as a text of its own spelling
// wherever a string may stand, and null in an array as an empty text, so that the texts after it keep their places.
func (t *Texts) UnmarshalJSON(data []byte) error { return unmarshal("Texts", data, t.read) }

// UnmarshalJSONFrom reads the same as UnmarshalJSON.
func (t *Texts) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	return unmarshalFrom[Texts](dec, t.read)
}

func (t *Texts) read(value []byte) error {
	lit, err := readLiteral("Texts", value, kindString|kindNumber|kindArray)
	if err != nil {
		return err
	}
	switch lit.kind {
	case kindNull:
		*t = nil
		return nil
	case kindString, kindNumber:
		*t = Texts{string(lit.text)}
		return nil
	}
	texts := make(Texts, 0, countElements(value))
	for item, rest := cutElement(value[1:]); len(item) > 0; item, rest = cutElement(rest) {
		lit, err := readLiteral("an item of Texts", item, kindString|kindNumber)
		if err != nil {
			return err
		}
		text := ""
		if lit.kind != kindNull {
			text = string(lit.text)
		}
		texts = append(texts, text)
	}
	*t = texts
	return nil
}
