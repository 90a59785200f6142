package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTheProgramWritesItsFiles(t *testing.T) {
	config := inputs(t, goodConfig, goodSchema, goodQuery)
	if err := run([]string{config}); err != nil {
		t.Fatal(err)
	}
	files, err := generate(config)
	if err != nil {
		t.Fatal(err)
	}
	for name, source := range files {
		if written, err := os.ReadFile(name); err != nil || !bytes.Equal(written, source) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTheProgramRefuses(t *testing.T) {
	nowhere := inputs(t, strings.Replace(goodConfig, "records.gen.go", "none/records.gen.go", 1), goodSchema, goodQuery)
	for name, test := range map[string]struct {
		args []string
		want string
	}{
		"no configuration":            {nil, "usage: graphgen CONFIG"},
		"two configurations":          {[]string{"a.yaml", "b.yaml"}, "usage: graphgen CONFIG"},
		"a configuration not there":   {[]string{filepath.Join(t.TempDir(), "none.yaml")}, "none.yaml"},
		"a folder not there":          {[]string{nowhere}, "records.gen.go"},
		"a schema not there":          {[]string{inputs(t, strings.Replace(goodConfig, "schema.graphql", "none.graphql", 1), goodSchema, goodQuery)}, "none.graphql"},
		"a pattern of queries broken": {[]string{inputs(t, strings.Replace(goodConfig, "*.query", "[", 1), goodSchema, goodQuery)}, "syntax error in pattern"},
	} {
		t.Run(name, func(t *testing.T) {
			if err := run(test.args); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v, not %q", err, test.want)
			}
		})
	}
}
