package clienttest

import (
	"bytes"
	"encoding/gob"
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

	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// verbs are the verbs of fmt with the flags that change how a value is walked, and one that fmt does not know.
var verbs = strings.Fields(`%v %+v %#v %s %+s %q %#q %x %X %#x %d %b %o %O %c %U %#U %e %E %f %F %g %G %t %p %T %20v %-20s
	%.3s %!`)

// forms returns the ways in which a value may end up in a log, by name: the output of fmt, log/slog, encoders and a
// failed assertion, alone and inside of other values, and all texts that can be reached from it.
func forms(value any) map[string]string {
	out := map[string]string{}
	for place, held := range hold(value) {
		for _, verb := range verbs {
			out[place+" "+verb] = fmt.Sprintf(verb, held)
		}
		var text, js, encoded bytes.Buffer
		slog.New(slog.NewTextHandler(&text, nil)).Info("x", "value", held, slog.Group("group", "value", held))
		slog.New(slog.NewJSONHandler(&js, nil)).Info("x", "value", held, slog.Group("group", "value", held))
		out[place+" slog text"], out[place+" slog JSON"] = text.String(), js.String()
		out[place+" JSON"] = encodes(json.Marshal(held))
		out[place+" XML"] = encodes(xml.Marshal(held))
		err := gob.NewEncoder(&encoded).Encode(held)
		out[place+" gob"] = encodes(encoded.Bytes(), err)
	}
	var failed recorder
	assert.Equal(&failed, struct{ any }{value}, struct{ any }{})
	out["failed assertion"] = failed.String()
	out["reflection"] = strings.Join(reachable(value), "\n")
	return out
}

// encodes returns an encoder's output, or its error's text: an error can quote a value too.
func encodes(encoded []byte, err error) string { return fmt.Sprintf("%s %v", encoded, err) }

type recorder struct{ strings.Builder }

func (r *recorder) Errorf(format string, args ...any) { fmt.Fprintf(r, format, args...) }

// hold puts a value into the kinds of places in which it may be printed.
func hold(value any) map[string]any {
	type visible struct{ Value any }
	type hidden struct{ value any }
	places := map[string]any{
		"itself": value, "a field": visible{value}, "a pointer to a field": &visible{value}, "a hidden field": hidden{value},
		"a hidden field, deep": visible{&hidden{hidden{value}}}, "a map": map[string]any{"k": value}, "a list": []any{value},
	}
	held := reflect.ValueOf(value)
	if held.Kind() == reflect.Pointer && !held.IsNil() {
		places["its target"] = held.Elem().Interface()
		held = held.Elem()
	}
	// By value in a hidden field with its own type: fmt cannot call its methods there.
	list := reflect.MakeSlice(reflect.SliceOf(held.Type()), 0, 1)
	places["a typed list"] = hidden{reflect.Append(list, held).Interface()}
	return places
}

// shows returns the forms of a value in which any of the secrets is to be seen.
func shows(value any, secrets ...string) []string {
	var leaks []string
	for form, text := range forms(value) {
		text = strings.ToLower(text)
		for _, secret := range secrets {
			decimal := strings.Trim(fmt.Sprintf("%d", []byte(secret)), "[]")
			for _, spelled := range []string{secret, fmt.Sprintf("%x", secret), decimal} {
				if strings.Contains(text, strings.ToLower(spelled)) {
					leaks = append(leaks, form)
				}
			}
		}
	}
	return leaks
}

// hides fails the test for every form of a value in which one of the secrets is to be seen.
func hides(t *testing.T, value any, secrets ...string) {
	t.Helper()
	assert.Empty(t, shows(value, secrets...), "a secret is to be seen in these forms of a %T", value)
}

// hidesInForms is hides except for the forms that follow pointers and call no methods: they show a record's secrets.
func hidesInForms(t *testing.T, value any, secrets ...string) {
	t.Helper()
	assert.Empty(t, showsInForms(value, secrets...), "a secret is to be seen in these forms of a %T", value)
}

func showsInForms(value any, secrets ...string) []string {
	return slices.DeleteFunc(shows(value, secrets...), func(form string) bool {
		return form == "failed assertion" || form == "reflection"
	})
}

// reachable returns all texts that can be reached from a value through pointers, hidden fields and wrapped errors.
func reachable(value any) (texts []string) {
	seen := map[reflect.Value]bool{} // The pointers on the way.
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		if v.IsValid() && v.CanInterface() {
			if err, isError := v.Interface().(error); isError && (v.Kind() != reflect.Pointer || !v.IsNil()) {
				texts = append(texts, err.Error())
				walk(reflect.ValueOf(errors.Unwrap(err))) // It need not be in a field.
				if joined, isJoined := err.(interface{ Unwrap() []error }); isJoined {
					walk(reflect.ValueOf(joined.Unwrap()))
				}
			}
		}
		switch v.Kind() {
		case reflect.String:
			texts = append(texts, v.String())
		case reflect.Pointer:
			if !seen[v] {
				seen[v] = true
				walk(v.Elem())
			}
		case reflect.Interface:
			walk(v.Elem())
		case reflect.Struct:
			for _, field := range v.Fields() {
				walk(field)
			}
		case reflect.Map:
			for entries := v.MapRange(); entries.Next(); {
				walk(entries.Key())
				walk(entries.Value())
			}
		case reflect.Slice, reflect.Array:
			var text []byte
			for i := range v.Len() {
				if v.Index(i).Kind() == reflect.Uint8 {
					text = append(text, byte(v.Index(i).Uint()))
				} else {
					walk(v.Index(i))
				}
			}
			texts = append(texts, string(text))
		}
	}
	walk(reflect.ValueOf(value))
	return texts
}

// TestLeakWalk_findsSecretsInEveryPlace keeps the helper honest: it finds a secret in each kind of place.
func TestLeakWalk_findsSecretsInEveryPlace(t *testing.T) {
	const secret = "s3cr3t-of-the-walk"
	type deep struct{ text *string }
	text := secret
	for name, value := range map[string]any{
		"a field": struct{ Text string }{secret}, "a hidden field": struct{ text string }{secret}, "a pointer": deep{&text},
		"a list": []deep{{&text}}, "a map": map[string]any{"a": []byte(secret)}, "a key": map[string]int{secret: 1},
		"an error": fmt.Errorf("x: %w", errors.New(secret)), "errors": errors.Join(errors.New("x"), errors.New(secret)),
		"an array": [18]byte([]byte(secret)), "raw bytes": json.RawMessage(secret),
	} {
		assert.Contains(t, shows(value, secret), "reflection", name)
	}
	assert.Contains(t, shows(struct{ Body []byte }{[]byte(secret)}, secret), "itself gob")
	assert.Subset(t, shows(struct{ Body string }{secret}, secret), []string{
		"itself %+v", "itself slog text", "itself slog JSON", "itself JSON", "a field XML", "failed assertion",
		"a hidden field %+v", "a typed list %v",
	})
}

func TestWithSecrets_hidesSecretsExceptInJSON(t *testing.T) {
	secret, address := scalar.NewSecret(leakedToken), scalar.NewSecretURL("https://a.example.com/"+leakedToken)
	revealed := scalar.WithSecrets[[]any]{Value: []any{secret, &address}}
	for _, value := range []any{revealed, &revealed} {
		leaks := showsInForms(value, leakedToken)
		assert.Contains(t, leaks, "itself JSON", "it is revealed, which is its purpose")
		assert.NotContains(t, leaks, "itself slog JSON")
		for _, form := range leaks {
			assert.True(t, strings.HasSuffix(form, "JSON"), form)
		}
	}
	assert.Equal(t, fmt.Sprint(revealed.Value), revealed.String())
	assert.Equal(t, slog.KindAny, revealed.LogValue().Kind())
}
