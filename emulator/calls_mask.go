package emulator

import (
	"encoding/json"
	"net/url"
	"strings"
)

// masked stands where a secret stood.
const masked = "[masked]"

// mask takes secrets out of what was asked.
type mask struct {
	values []string // Texts that are secrets wherever they stand.
}

func (m mask) text(text string) string {
	for _, value := range m.values {
		if value != "" {
			text = strings.ReplaceAll(text, value, masked)
		}
	}
	return text
}

// named is a text that has a name.
func (m mask) named(name, text string) string {
	lower := strings.ToLower(name)
	for _, end := range []string{"token", "secret", "password", "key", "authorization", "jwt", "credential"} {
		public := strings.HasSuffix(lower, "public_key") || strings.HasSuffix(lower, "publickey")
		if strings.HasSuffix(strings.TrimSuffix(lower, "s"), end) && !public && text != "" {
			return masked
		}
	}
	if strings.HasSuffix(lower, "url") {
		if address, err := url.Parse(text); err == nil && address.Host != "" {
			return address.Scheme + "://" + address.Host + "/" + masked
		}
	}
	return m.text(text)
}

// query returns a copy.
func (m mask) query(query url.Values) url.Values {
	shown := make(url.Values, len(query))
	for name, values := range query {
		for _, value := range values {
			shown.Add(name, m.named(name, value))
		}
	}
	return shown
}

// body parses a body, and returns nil where there is none or where it is not JSON.
func (m mask) body(body []byte) any {
	var parsed any
	if json.Unmarshal(body, &parsed) != nil {
		return nil
	}
	return m.value("", parsed)
}

// value masks the texts in a value of a name. The elements of an array have the name of the array.
func (m mask) value(name string, value any) any {
	switch value := value.(type) {
	case string:
		return m.named(name, value)
	case []any:
		for i, element := range value {
			value[i] = m.value(name, element)
		}
	case map[string]any:
		for inner, member := range value {
			value[inner] = m.value(inner, member)
		}
	}
	return value
}
