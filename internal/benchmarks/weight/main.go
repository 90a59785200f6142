// Weight prints how much a client adds to a program: the time of its first build beyond the standard library, the size
// of the program, and its modules. The program shows one endpoint; the generated clients cover the whole admin area, as
// a caller would generate them.
//
//	go run ./internal/benchmarks/weight
package main

import (
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"time"
)

// program is a variant of the program.
type program struct {
	// name is the name of its folder in testdata and of its module.
	name, title string
	// generate writes the client into a folder of the module. It may be nil.
	generate func(l locations, module string) error
	// requires lists the modules that the program or its client imports.
	requires []string
}

var programs = []program{
	{"nethttp", "net/http, encoding/json", nil, nil},
	{"rpcfleet", "**rpcfleet**", nil, []string{library}},
	{"oapi", "oapi-codegen client", generateOAPI, []string{"github.com/oapi-codegen/runtime"}},
	{"ogen", "ogen client", generateOgen, []string{"github.com/ogen-go/ogen"}},
}

func main() {
	log.SetFlags(0)
	keep := flag.String("keep", "", "a directory for the programs, which is then not removed")
	flag.Parse()
	if err := run(programs, *keep, os.Stdout); err != nil {
		log.Fatal("weight: ", err)
	}
}

// run weighs programs in a folder, which is removed unless it is to be kept.
func run(programs []program, keep string, out io.Writer) error {
	l, err := locate()
	if err != nil {
		return err
	}
	if l.temporary = keep; keep == "" {
		if l.temporary, err = os.MkdirTemp("", "weight"); err != nil {
			return err
		}
		defer func() { _ = os.RemoveAll(l.temporary) }()
	}
	for _, p := range programs {
		if err := l.prepare(p); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
	}
	if _, err := fmt.Fprint(out,
		"| program | first build, processor time | binary | outside modules |\n|---|---|---|---|\n"); err != nil {
		return err
	}
	for _, p := range programs {
		w, err := l.weigh(p)
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		if _, err := fmt.Fprintf(out, "| %s | %.1f s, %.1f s | %.1f MB | %d |\n",
			p.title, w.took.Seconds(), w.processor.Seconds(), float64(w.size)/1e6, w.modules); err != nil {
			return err
		}
	}
	return nil
}

// outside is a template for go list that prints the modules of packages from outside this repository.
const outside = `{{with .Module}}{{if not (or .Main .Replace)}}{{.Path}}{{end}}{{end}}`

// weight is the result for a program.
type weight struct {
	took, processor time.Duration
	size            int64
	modules         int
}

// weigh builds a program with only the standard library in the build cache.
func (l locations) weigh(p program) (weight, error) {
	module, cache := l.module(p), filepath.Join(l.temporary, p.name+".cache")
	if err := os.CopyFS(cache, os.DirFS(l.cache())); err != nil {
		return weight{}, err
	}
	binary := filepath.Join(l.temporary, p.name+".binary")
	build := command(module, cache, "build", "-o", binary, ".")
	start := time.Now()
	if err := build.Run(); err != nil {
		return weight{}, err
	}
	w := weight{took: time.Since(start), processor: build.ProcessState.UserTime() + build.ProcessState.SystemTime()}
	file, err := os.Stat(binary)
	if err != nil {
		return weight{}, err
	}
	w.size = file.Size()
	modules, err := lines(module, "list", "-deps", "-f", outside, ".")
	w.modules = len(modules)
	return w, err
}
