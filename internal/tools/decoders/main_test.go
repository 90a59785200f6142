package main

import (
	"os"
	"testing"
)

// TestGenerate_matchesCommittedDecoders generates the library's decoders anew.
func TestGenerate_matchesCommittedDecoders(t *testing.T) {
	got, err := generate("../../../internal/graphql")
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("../../../internal/graphql/decode.gen.go")
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Error("the decoders are not those of the types: run go generate ./...")
	}
	if _, err := generate("testdata/none"); err == nil {
		t.Error("a folder that is not there is an error")
	}
}
