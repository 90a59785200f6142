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

// verbs are all the verbs that fmt knows, with the flags that change how a value is walked, and one verb that fmt does
// not know.
var verbs = strings.Fields(`%v %+v %#v %s %+s %q %#q %x %X %#x %d %b %o %O %c %U %#U %e %E %f %F %g %G %t %p %T %20v %-20s
	%.3s %!`)

// forms returns every way in which a value is likely to end up in a log, by the name of the way: the output of fmt,
// log/slog, the encoders and a failed assertion, alone and inside of other values, and all texts that can be reached
// from it.
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

// hidesInForms fails the test for every form of a value in which one of the secrets is to be seen, but for the forms
// that follow pointers and call no methods. Those show the credentials of a record.
func hidesInForms(t *testing.T, value any, secrets ...string) {
	t.Helper()
	assert.Empty(t, showsInForms(value, secrets...), "a secret is to be seen in these forms of a %T", value)
}

func showsInForms(value any, secrets ...string) []string {
	return slices.DeleteFunc(shows(value, secrets...), func(form string) bool {
		return form == "failed assertion" || form == "reflection"
	})
}

// reachable returns all texts that can be reached from a value through pointers, fields that are not exported, and
// wrapped errors. It stops at functions and channels.
func reachable(value any) []string {
	w := walker{seen: map[visit]bool{}}
	w.walk(reflect.ValueOf(value))
	return w.texts
}

type visit struct {
	at   uintptr
	kind reflect.Type
}

type walker struct {
	seen  map[visit]bool
	texts []string
}

func (w *walker) walk(v reflect.Value) {
	if !v.IsValid() {
		return
	}
	if v.CanInterface() {
		if err, ok := v.Interface().(error); ok && (v.Kind() != reflect.Pointer || !v.IsNil()) {
			w.unwrap(err)
		}
	}
	switch v.Kind() {
	case reflect.String:
		w.texts = append(w.texts, v.String())
	case reflect.Pointer:
		if at := (visit{v.Pointer(), v.Type()}); !v.IsNil() && !w.seen[at] {
			w.seen[at] = true
			w.walk(v.Elem())
		}
	case reflect.Interface:
		w.walk(v.Elem())
	case reflect.Struct:
		for _, field := range v.Fields() {
			w.walk(field)
		}
	case reflect.Map:
		for entries := v.MapRange(); entries.Next(); {
			w.walk(entries.Key())
			w.walk(entries.Value())
		}
	case reflect.Slice, reflect.Array:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			text := make([]byte, v.Len())
			for i := range text {
				text[i] = byte(v.Index(i).Uint())
			}
			w.texts = append(w.texts, string(text))
			return
		}
		for i := range v.Len() {
			w.walk(v.Index(i))
		}
	}
}

// unwrap follows an error to the errors that it wraps, which need not be in its fields.
func (w *walker) unwrap(err error) {
	w.texts = append(w.texts, err.Error())
	if inner := errors.Unwrap(err); inner != nil {
		w.walk(reflect.ValueOf(inner))
	}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, inner := range joined.Unwrap() {
			w.walk(reflect.ValueOf(inner))
		}
	}
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

func TestSecrets_areHiddenWhenPrinted(t *testing.T) {
	const token = "tokenmadeupxyz" // No letter of it is hexadecimal, so that no address contains it by chance.
	secret := scalar.NewSecret(token)
	address := scalar.NewSecretURL("https://user:" + token + "@name.example.com/" + token + "/a?key=" + token + "#" + token)
	broken := scalar.NewSecretURL("https://" + token + ":port/" + token)
	var extra scalar.Extra
	extra.Add("plan", `{"tier":"`+token+`"}`)
	for _, value := range []any{
		secret, &secret, address, &address, broken, &broken, extra, &extra, reflect.ValueOf(secret),
		errors.Join(fmt.Errorf("first %s", secret), fmt.Errorf("second %+v", []any{address})),
	} {
		hidesInForms(t, value, token)
	}
	assert.Equal(t, "[plan]", fmt.Sprintf("%+v", extra), "the names are shown")
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
