package show_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"

	"github.com/rpcfleet/rpcfleet-go/internal/show"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

type part struct {
	ID    int
	Label *string
}

type ship struct {
	Name     string
	Nickname *string
	Count    int
	On       bool
	Share    float64
	At       scalar.Time
	Token    scalar.Secret
	URL      *scalar.SecretURL
	Number   *scalar.BigInt
	Parts    []part
	More     []*part
	Texts    []string
	Map      map[string]*part
	Any      any
	Raw      []byte
	hidden   *int
}

func printed(record any) string {
	var text bytes.Buffer
	show.Record(&text, record)
	return text.String()
}

func TestRecordsArePrinted(t *testing.T) {
	url := scalar.NewSecretURL("https://a.example.com/t0k3n")
	for want, record := range map[string]any{
		`part{ID: 0}`: part{},
		`ship{Name: "", Count: 0, On: false, Share: 0}`:                                        ship{hidden: new(7)},
		`ship{Name: "a\nb", Nickname: "", Count: -1, On: true, Share: 0.5}`:                    ship{Name: "a\nb", Nickname: new(""), Count: -1, On: true, Share: 0.5},
		`ship{Name: "", Count: 0, On: false, Share: 0, Token: [redacted]}`:                     ship{Token: scalar.NewSecret("t0k3n")},
		`ship{Name: "", Count: 0, On: false, Share: 0, Number: 7}`:                             ship{Number: new(scalar.BigIntFrom(7))},
		`ship{Name: "", Count: 0, On: false, Share: 0, URL: https://a.example.com/[redacted]}`: ship{URL: &url},
		`ship{Name: "", Count: 0, On: false, Share: 0, Parts: [{ID: 1, Label: "x"}, {ID: 2}], More: [nil, {ID: 3}]}`: ship{
			Parts: []part{{1, new("x")}, {ID: 2}}, More: []*part{nil, {ID: 3}}},
		`ship{Name: "", Count: 0, On: false, Share: 0, Parts: [], Map: {}}`: ship{Parts: []part{}, Map: map[string]*part{}},
		`ship{Name: "", Count: 0, On: false, Share: 0, Texts: ["a", "b"], Map: {"k": {ID: 4}, "l": nil}, Any: part{ID: 5}, Raw: (3 bytes)}`: ship{
			Texts: []string{"a", "b"}, Map: map[string]*part{"l": nil, "k": {ID: 4}}, Any: part{ID: 5}, Raw: []byte("raw")},
	} {
		assert.Equal(t, want, printed(record))
	}
}

func TestWhatIsPrintedIsBounded(t *testing.T) {
	assert.Equal(t, `ship{Name: "`+strings.Repeat("ü", 100)+`"…, Count: 0, On: false, Share: 0}`, printed(ship{Name: strings.Repeat("ü", 5000)}))
	odd := printed(ship{Name: "x" + strings.Repeat("ü", 5000)})
	assert.Contains(t, odd, `ü"…`, "no character is cut in two")
	assert.Equal(t, `ship{Name: "", Count: 0, On: false, Share: 0, Parts: [`+strings.Repeat(`{ID: 0}, `, 10)+`… 240 more]}`,
		printed(ship{Parts: make([]part, 250)}))

	large := ship{Map: map[string]*part{}}
	for i := range 100 {
		large.Map[fmt.Sprint(i, strings.Repeat("é", 1000))] = &part{Label: new(strings.Repeat("é", 5000))}
	}
	text := printed(large)
	assert.LessOrEqual(t, len(text), 2000+len("…"))
	assert.True(t, utf8.ValidString(text))
	assert.True(t, strings.HasSuffix(text, "…"))
}
