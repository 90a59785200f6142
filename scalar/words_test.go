package scalar_test

import (
	"bytes"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// TestErrorsNameTypeAndKind reads values of kinds that a type is not for.
func TestErrorsNameTypeAndKind(t *testing.T) {
	for raw, kind := range map[string]string{
		`"a"`: "a JSON string", `1`: "a JSON number", `true`: "a JSON boolean", `false`: "a JSON boolean", `[]`: "a JSON array",
	} {
		err := new(scalar.Extra).UnmarshalJSON([]byte(raw))
		require.ErrorContains(t, err, "Extra", raw)
		require.ErrorContains(t, err, kind, raw)
	}
	for name, read := range map[string]func([]byte) error{
		"Secret": new(scalar.Secret).UnmarshalJSON, "SecretURL": new(scalar.SecretURL).UnmarshalJSON,
		"Extra": new(scalar.Extra).UnmarshalJSON,
	} {
		require.ErrorContains(t, read([]byte(`true`)), name)
		require.ErrorContains(t, read([]byte(`true`)), "a JSON boolean", name)
		require.Error(t, read([]byte(`{`)), name)
		require.Error(t, read([]byte(``)), name)
		require.Error(t, read([]byte(`nulL`)), name)
	}
}

// TestAnExtraIsReadAnew reads into one that holds something.
func TestAnExtraIsReadAnew(t *testing.T) {
	for raw, want := range map[string][]string{`{"b":1,"c":{}}`: {"b", "c"}, `{}`: nil, `null`: nil, `{"b":1,"b":2}`: {"b"}} {
		var extra scalar.Extra
		extra.Add("a", []byte("1"))
		require.NoError(t, extra.UnmarshalJSON([]byte(raw)))
		assert.Equal(t, want, extra.Names(), raw)
	}
	var extra scalar.Extra
	require.NoError(t, extra.UnmarshalJSON([]byte("{\"a\":1,\"a\":2,\"\xff\":\"\xff\"}")), "what came so is kept so")
	value, _ := extra.Get("a")
	assert.Equal(t, "2", string(value))
	err := extra.UnmarshalJSON([]byte(`{"plan":"[redacted]"}`))
	require.ErrorIs(t, err, scalar.ErrRedacted)
	require.ErrorContains(t, new(scalar.Extra).UnmarshalJSON([]byte(`{"plan":"[redacted]"}`)), `plan`)
}

// TestLogsGetWhatIsPrinted writes values into a log, as attributes.
func TestLogsGetWhatIsPrinted(t *testing.T) {
	var extra scalar.Extra
	extra.Add("plan", []byte(`"made-up-secret"`))
	var text bytes.Buffer
	slog.New(slog.NewTextHandler(&text, nil)).Info("m", "extra", extra, "revealed", scalar.Revealed[scalar.Secret]{Value: scalar.NewSecret("made-up-secret")}, "number", scalar.Revealed[int]{Value: 7})
	assert.Contains(t, text.String(), "extra=[plan] revealed=[redacted] number=7")
	assert.NotContains(t, text.String(), "made-up-secret")
}
