package field_test

import (
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/field"
	"github.com/rpcfleet/rpcfleet-go/internal/scan"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// TestNullsLeaveAVariableAlone reads a null with every function.
func TestNullsLeaveAVariableAlone(t *testing.T) {
	text, number, truth := "x", 7, true
	amount, list, names := scalar.NewDecimal("1.5"), []string{"x"}, map[string]int{"x": 1}
	optional := &text
	s := scan.New([]byte(`[null,null,null,null,null,null,null,null]`))
	s.Array()
	for _, read := range []func(){
		func() { field.Text(s, &text) }, func() { field.Int(s, &number) }, func() { field.Bool(s, &truth) },
		func() { field.Scalar(s, &amount) }, func() { field.JSON(s, &amount) }, func() { field.List(s, &list, field.Text) },
		func() { field.Map(s, &names, field.Int) }, func() { field.Optional(s, &optional, field.Text) },
	} {
		require.True(t, s.Element())
		read()
	}
	require.False(t, s.Element())
	require.True(t, s.End())
	assert.Equal(t, "x", text)
	assert.Equal(t, 7, number)
	assert.True(t, truth)
	assert.Equal(t, scalar.NewDecimal("1.5"), amount)
	assert.Equal(t, []string{"x"}, list)
	assert.Equal(t, map[string]int{"x": 1}, names)
	assert.Same(t, &text, optional)
}

// TestAnotherKindIsOdd reads values of a kind that the function is not for.
func TestAnotherKindIsOdd(t *testing.T) {
	var (
		text   string
		number int
		truth  bool
		at     time.Time
		list   []string
		names  map[string]int
	)
	for name, read := range map[string]func(*scan.Scanner){
		`1`:             func(s *scan.Scanner) { field.Text(s, &text) },
		`"1"`:           func(s *scan.Scanner) { field.Int(s, &number) },
		`0`:             func(s *scan.Scanner) { field.Bool(s, &truth) },
		`"noon"`:        func(s *scan.Scanner) { field.Scalar(s, &at) },
		`{}`:            func(s *scan.Scanner) { field.JSON(s, &at) },
		`{"a":"b"}`:     func(s *scan.Scanner) { field.List(s, &list, field.Text) },
		`["a",1]`:       func(s *scan.Scanner) { field.List(s, &list, field.Text) },
		`[1]`:           func(s *scan.Scanner) { field.Map(s, &names, field.Int) },
		`{"a":1,"a":2}`: func(s *scan.Scanner) { field.Map(s, &names, field.Int) },
		"{\"\xff\":1}":  func(s *scan.Scanner) { field.Map(s, &names, field.Int) },
	} {
		s := scan.New([]byte(name))
		read(s)
		assert.Zero(t, s.Left(), "%s: it has given up", name)
		assert.False(t, s.End(), name)
		field.List(s, &list, field.Text)
		assert.Empty(t, list, "nothing is read after that")
	}
}

// TestShortTextsAreShared reads a list that repeats a text, and one in which no text comes twice.
func TestShortTextsAreShared(t *testing.T) {
	copies := func(text, last string) int {
		var texts []string
		s := scan.New([]byte(`[` + strings.Repeat(`"`+text+`",`, 499) + `"` + last + `"]`))
		field.List(s, &texts, field.Text)
		require.True(t, s.End())
		different := map[*byte]bool{}
		for _, text := range texts {
			different[unsafe.StringData(text)] = true
		}
		return len(different)
	}
	assert.Equal(t, 1, copies("mainnet", "mainnet"))
	assert.Equal(t, 2, copies("mainnet", "testnet"))
	assert.Equal(t, 500, copies("a text that is too long to share it", "x"))
}
