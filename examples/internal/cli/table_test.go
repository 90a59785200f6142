package cli

import (
	"bytes"
	"encoding/csv"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestWrite(t *testing.T) {
	table := Table{Header: []string{"LABEL", "CREDITS"}}
	table.Add("a long label", "7")
	table.Add("x\x1b[31m\t\"y\"", "12")
	value := map[string]string{"label": "<a>"}
	for format, want := range map[Format]string{
		FormatTable: "LABEL         CREDITS\na long label  7\nx\ufffd[31m\ufffd\"y\"    12\n",
		FormatCSV:   "LABEL,CREDITS\na long label,7\n\"x\x1b[31m\t\"\"y\"\"\",12\n",
		FormatJSON:  "{\n  \"label\": \"<a>\"\n}\n",
	} {
		t.Run(string(format), func(t *testing.T) {
			var out bytes.Buffer
			assert.NoError(t, Write(&out, format, table, value))
			assert.Equal(t, want, out.String())
			assert.ErrorIs(t, Write(broken{}, format, table, value), errBroken)
		})
	}
	assert.ErrorContains(t, Write(&bytes.Buffer{}, "xml", table, value), `no format "xml"`)
}

func TestSpreadsheetsComputeNothing(t *testing.T) {
	for cell, want := range map[string]string{
		`=HYPERLINK("http://example.com")`: `'=HYPERLINK("http://example.com")`,
		"+1+1":                             "'+1+1",
		"-1+1":                             "'-1+1",
		"@SUM(A1)":                         "'@SUM(A1)",
		"\t=1":                             "'\t=1",
		"\r=1":                             "'\r=1",
		"\n=1":                             "'\n=1",
		"＝1":                               "'＝1",
		"-":                                "-",
		"-12.5":                            "-12.5",
		"+1e9":                             "+1e9",
		"-9223372036854775809":             "-9223372036854775809",
		"a=1":                              "a=1",
		" =1":                              " =1",
		"":                                 "",
	} {
		var out bytes.Buffer
		table := Table{Header: []string{"LABEL"}}
		table.Add(cell)
		assert.NoError(t, Write(&out, FormatCSV, table, nil))
		rows, err := csv.NewReader(&out).ReadAll()
		assert.NoError(t, err)
		if cell != "" { // The reader takes a line without anything for no row.
			assert.Equal(t, [][]string{{"LABEL"}, {want}}, rows, "%q", cell)
		}
	}
}

var errBroken = errors.New("nobody reads this")

// broken is an output that takes nothing.
type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errBroken }
