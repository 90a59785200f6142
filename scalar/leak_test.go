package scalar_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// token is the made-up credential that must not show up anywhere. Its letters are not hexadecimal, so that no address
// contains it by chance.
const token = "tokenmadeupxyz"

// verbs are all the verbs that fmt knows, with the flags that change how a value is walked, and one verb that fmt does
// not know.
var verbs = []string{
	"%v", "%+v", "%#v", "%s", "%+s", "%q", "%#q", "%x", "%X", "% x", "%#x", "%d", "%b", "%o", "%O",
	"%c", "%U", "%#U", "%e", "%E", "%f", "%F", "%g", "%G", "%t", "%p", "%T", "%20v", "%-20s", "%.3s", "%!",
}

// spellings are the ways in which a verb may write the token out.
func spellings() []string {
	decimal := strings.Trim(fmt.Sprintf("%d", []byte(token)), "[]")
	return []string{token, fmt.Sprintf("%x", token), fmt.Sprintf("%X", token), fmt.Sprintf("% x", token), decimal}
}

// printed returns everything that fmt, log/slog and the encoders make of v.
func printed(t *testing.T, v any) map[string]string {
	t.Helper()
	out := map[string]string{"Sprint": fmt.Sprint(v), "error": fmt.Errorf("failed: %v", v).Error()}
	for _, verb := range verbs {
		out[verb] = fmt.Sprintf(verb, v)
	}
	var text, js bytes.Buffer
	for name, logger := range map[string]*slog.Logger{
		"text": slog.New(slog.NewTextHandler(&text, nil)),
		"json": slog.New(slog.NewJSONHandler(&js, nil)),
	} {
		logger.With("with", v).Info(name, "key", v, slog.Group("group", "inner", v), "error", fmt.Errorf("%v", v))
	}
	out["slog text"], out["slog JSON"] = text.String(), js.String()
	if encoded, err := json.Marshal(v); err != nil {
		out["JSON error"] = err.Error()
	} else {
		out["JSON"] = string(encoded)
	}
	if encoded, err := xml.Marshal(v); err != nil {
		out["XML error"] = err.Error()
	} else {
		out["XML"] = string(encoded)
	}
	return out
}

// leaks names the print forms of v that show the token.
func leaks(t *testing.T, v any) []string {
	t.Helper()
	var found []string
	for form, text := range printed(t, v) {
		for _, spelling := range spellings() {
			if strings.Contains(text, spelling) {
				found = append(found, form)
				break
			}
		}
	}
	return found
}

// holder has a secret of type T in every kind of place.
type holder[T any] struct {
	Exported   T
	unexported T
	Pointer    *T
	hidden     *T
	List       []T
	Map        map[string]T
	Any        any
	nested     struct{ inner, Outer any }
}

func hold[T any](v T) holder[T] {
	h := holder[T]{Exported: v, unexported: v, Pointer: &v, hidden: &v, Any: v}
	h.List, h.Map = []T{v}, map[string]T{"k": v}
	h.nested.inner, h.nested.Outer = v, &v
	return h
}

func TestSecretsNeverPrint(t *testing.T) {
	secret := scalar.NewSecret(token)
	address := scalar.NewSecretURL("https://user:" + token + "@name.example.com/" + token + "/suffix?key=" + token + "#" +
		token)
	broken := scalar.NewSecretURL("https://" + token + ":port/" + token)
	for name, v := range map[string]any{
		"Secret":                secret,
		"Secret pointer":        &secret,
		"Secret in a record":    hold(secret),
		"Secret in a pointer":   new(hold(secret)),
		"Secret in a list":      []scalar.Secret{secret},
		"Secret in an error":    errors.Join(fmt.Errorf("first %s", secret), fmt.Errorf("second %+v", hold(secret))),
		"SecretURL":             address,
		"SecretURL pointer":     &address,
		"SecretURL in a record": hold(address),
		"Secret by reflection":  reflect.ValueOf(secret),
		"long Secret":           hold(scalar.NewSecret(strings.Repeat(token, 10))),
		"broken SecretURL":      broken,
		"broken in a record":    hold(broken),
	} {
		assert.Empty(t, leaks(t, v), name)
	}
}

// TestLeaksAreFound makes sure that the search above would find a secret that is held as plain text, in each of the
// places that it looks at.
func TestLeaksAreFound(t *testing.T) {
	found := leaks(t, hold(token))
	for _, form := range []string{"Sprint", "error", "%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "slog text",
		"slog JSON", "JSON"} {
		assert.Contains(t, found, form)
	}
}

// TestSecretErrorsNeverPrint hands the token to every decoder in shapes that it refuses, and looks at the errors.
func TestSecretErrorsNeverPrint(t *testing.T) {
	inputs := []string{
		`{"` + token + `":"` + token + `"}`, `["` + token + `"]`, `"` + token, token, `"` + token + `" "` + token + `"`,
		`"` + token + `\x"`, `"[redacted]` + token + ``, `"https://` + token + `/[redacted]"`, `"https://` + token +
			`/%5bRedacted%5D"`,
	}
	for _, input := range inputs {
		for name, target := range map[string]json.Unmarshaler{"Secret": new(scalar.Secret),
			"SecretURL": new(scalar.SecretURL)} {
			if err := target.UnmarshalJSON([]byte(input)); err != nil {
				assert.NotContains(t, err.Error(), token, "%s from input of %d bytes", name, len(input))
			}
			var record struct{ Field any }
			record.Field = target
			if err := json.Unmarshal([]byte(`{"Field":`+input+`}`), &record); err != nil {
				assert.NotContains(t, err.Error(), token, "%s in a record", name)
			}
		}
	}
	for _, text := range []string{"https://" + token + ":port/", "://" + token, "/" + token, token, "https:" + token,
		"\x7f" + token} {
		_, err := scalar.NewSecretURL(text).URL()
		require.Error(t, err)
		assert.NotContains(t, err.Error(), token)
	}
}

// TestLogsGetTheNamesAlone writes values into a log, as attributes.
func TestLogsGetTheNamesAlone(t *testing.T) {
	var text bytes.Buffer
	slog.New(slog.NewTextHandler(&text, nil)).Info("m", "extra", extraOf(), "revealed",
		scalar.WithSecrets[scalar.Secret]{Value: scalar.NewSecret(token)}, "number", scalar.WithSecrets[int]{Value: 7})
	assert.Contains(t, text.String(), `extra="[plan token $unread:tags/1]" revealed=[redacted] number=7`)
	assert.NotContains(t, text.String(), token)
}
