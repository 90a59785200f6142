package main

import (
	"bytes"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"strings"
	"testing"
)

const source = `package sample

import ("context"; "io")

const Pi = 3.0
const Two Kind = 2
const small = 1

type Kind int
func (Kind) String() string { return "" }
func (*Kind) Set(text string) (int, error) { return 0, nil }
func (Kind) hidden() {}

type Base struct{ ID string }
func (*Base) Close() error { return nil }

type Box[T any, K ~int | ~string] struct {
	Base
	Value T ` + "`json:\"value\"`" + `
	More []K
	inner int
}

type Reader interface { io.Reader; Name() string; seal() }
type Number interface { ~int | ~float64 }
type Text = string
type Hook func(ctx context.Context, done func(err error)) (n int)

var Default Kind

func Make[T any](first Kind, rest ...T) (box *Box[T, int], err error) { return nil, nil }
func helper() {}
`

var expected = []string{
	"const Pi untyped float = 3",
	"const Two Kind = 2",
	"func Make[T any](Kind, ...T) (*Box[T, int], error)",
	"method (*Base) Close() error",
	"method (*Box[T any, K ~int | ~string]) Close() error",
	"method (*Kind) Set(string) (int, error)",
	"method (Kind) String() string",
	"type Base struct",
	"type Base struct, ID string",
	"type Base struct, comparable",
	"type Box[T any, K ~int | ~string] struct",
	"type Box[T any, K ~int | ~string] struct, More []K",
	"type Box[T any, K ~int | ~string] struct, Value T `json:\"value\"`",
	"type Box[T any, K ~int | ~string] struct, embedded Base",
	"type Box[T any, K ~int | ~string] struct, unexported fields",
	"type Hook func(context.Context, func(error)) int",
	"type Kind int",
	"type Number interface{~int | ~float64}",
	"type Reader interface { Name, Read, unexported methods }",
	"type Reader interface, Name() string",
	"type Reader interface, Read([]byte) (int, error)",
	"type Text = string",
	"var Default Kind",
}

func TestLinesOfAPackage(t *testing.T) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "sample.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	config := types.Config{Importer: importer.ForCompiler(files, "source", nil)}
	checked, err := config.Check("example.com/sample", files, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	lines := newLister("example.com", checked).lines()
	slices.Sort(lines)
	if !slices.Equal(lines, expected) {
		t.Errorf("got\n%s", strings.Join(lines, "\n"))
	}
}

func TestDifferencesAreReadBackAndPrinted(t *testing.T) {
	folder := t.TempDir()
	if err := (promises{"a.txt": {"one", "two"}, "b/c.txt": {"three"}, "same.txt": {"x"}}).write(folder); err != nil {
		t.Fatal(err)
	}
	was, err := read(folder)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	is := promises{"a.txt": {"one", "two and a half"}, "new.txt": {"four"}, "same.txt": {"x"}}
	if !is.differences(was, &out) {
		t.Error("they differ")
	}
	want := "api/a.txt\n- two\n+ two and a half\napi/b/c.txt\n- three\napi/new.txt\n+ four\n"
	if out.String() != want {
		t.Errorf("got\n%s", out.String())
	}
	if is.differences(is, &out) {
		t.Error("they are the same")
	}
}

func TestArguments(t *testing.T) {
	codes := map[string]int{"-h": exitSame, "-wrong": exitUsage, "stray": exitUsage}
	got := map[string]int{}
	for argument := range codes {
		var out, errs bytes.Buffer
		got[argument] = run([]string{argument}, &out, &errs)
	}
	if !reflect.DeepEqual(codes, got) {
		t.Errorf("got %v", got)
	}
}

// TestTheSnapshotIsTheAPI holds this project's own packages against api/.
func TestTheSnapshotIsTheAPI(t *testing.T) {
	var out, errs strings.Builder
	if code := run(nil, &out, &errs); code != exitSame {
		t.Fatalf("exit %d\n%s%s", code, &out, &errs)
	}
}
