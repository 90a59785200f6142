package scalar_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"slices"
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
func printed(v any) map[string]string {
	out := map[string]string{"Sprint": fmt.Sprint(v), "error": fmt.Errorf("failed: %v", v).Error()}
	for _, verb := range verbs {
		out[verb] = fmt.Sprintf(verb, v)
	}
	var log bytes.Buffer
	for _, handler := range []slog.Handler{slog.NewTextHandler(&log, nil), slog.NewJSONHandler(&log, nil)} {
		slog.New(handler).With("with", v).Info("m", "key", v, slog.Group("group", "inner", v), "error", fmt.Errorf("%v", v))
		out[fmt.Sprintf("%T", handler)] = log.String()
		log.Reset()
	}
	for form, marshal := range map[string]func(any) ([]byte, error){"JSON": json.Marshal, "XML": xml.Marshal} {
		encoded, err := marshal(v)
		out[form] = fmt.Sprint(string(encoded), err)
	}
	return out
}

// leaks names the print forms of v that show the token.
func leaks(v any) []string {
	var found []string
	for form, text := range printed(v) {
		if slices.ContainsFunc(spellings(), func(spelling string) bool { return strings.Contains(text, spelling) }) {
			found = append(found, form)
		}
	}
	return found
}

// holder has a secret of type T in every kind of place.
type holder[T any] struct {
	Exported        T
	unexported      T
	Pointer, hidden *T
	List            []T
	Map             map[string]T
	Any             any
	nested          struct{ inner, Outer any }
}

func hold[T any](v T) holder[T] {
	return holder[T]{v, v, &v, &v, []T{v}, map[string]T{"k": v}, v, struct{ inner, Outer any }{v, &v}}
}

func TestSecrets_areHiddenWhenPrinted(t *testing.T) {
	secret := scalar.NewSecret(token)
	address := scalar.NewSecretURL("https://user:" + token + "@name.example.com/" + token + "/suffix?key=" + token + "#" +
		token)
	broken := scalar.NewSecretURL("https://" + token + ":port/" + token)
	long := scalar.NewSecret(strings.Repeat(token, 10))
	for name, v := range map[string]any{
		"Secret": secret, "Secret pointer": &secret, "Secret in a record": hold(secret),
		"Secret in a pointer": new(hold(secret)), "Secret in a list": []scalar.Secret{secret},
		"Secret in an error":   errors.Join(fmt.Errorf("first %s", secret), fmt.Errorf("second %+v", hold(secret))),
		"Secret by reflection": reflect.ValueOf(secret), "long Secret": hold(long), "SecretURL": address,
		"SecretURL pointer": &address, "SecretURL in a record": hold(address), "broken SecretURL": broken,
		"broken SecretURL in a record": hold(broken),
	} {
		assert.Empty(t, leaks(v), name)
	}
}

// TestLeaks_findsPlainSecret makes sure that the search above would find a secret that is held as plain text, in each
// of the places that it looks at.
func TestLeaks_findsPlainSecret(t *testing.T) {
	found := leaks(hold(token))
	for _, form := range []string{"Sprint", "error", "%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d",
		"*slog.TextHandler", "*slog.JSONHandler", "JSON"} {
		assert.Contains(t, found, form)
	}
}

// TestSecrets_unmarshalErrorsHideInput hands the token to every decoder in shapes that it refuses, and looks at the
// errors.
func TestSecrets_unmarshalErrorsHideInput(t *testing.T) {
	for _, input := range []string{
		`{"` + token + `":"` + token + `"}`, `["` + token + `"]`, `"` + token, token, `"` + token + `" "` + token + `"`,
		`"` + token + `\x"`, `"[redacted]` + token, `"https://` + token + `/[redacted]"`,
		`"https://` + token + `/%5bRedacted%5D"`,
	} {
		for _, target := range []json.Unmarshaler{new(scalar.Secret), new(scalar.SecretURL)} {
			record := struct{ Field any }{target}
			inRecord := json.Unmarshal([]byte(`{"Field":`+input+`}`), &record)
			for _, err := range []error{target.UnmarshalJSON([]byte(input)), inRecord} {
				assert.NotContains(t, fmt.Sprint(err), token, "%T from input of %d bytes", target, len(input))
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
