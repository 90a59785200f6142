// Weight prints how much a client adds to a program: the processor time of its first build beyond the standard library,
// the size of the program, and its modules. Each program prints all endpoints. The client of ogen covers the whole
// admin area, as a caller would generate it. Run it in the root of the repository:
//
//	go run ./internal/benchmarks/weight
package main

import (
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

//go:generate env GOWORK=off go -C ../../tools tool ogen -loglevel error -clean -config ../benchmarks/weight/testdata/ogen/config.yaml -package admin -target ../benchmarks/weight/testdata/ogen/admin ../../openapi/admin.yaml

// benchmarks is the module with the dependencies of the programs.
const benchmarks = "internal/benchmarks"

// program is a program with a client: a file, or the first program of a page.
type program struct{ title, source string }

var programs = []program{
	{"net/http, encoding/json", benchmarks + "/weight/testdata/nethttp/main.go"},
	{"**rpcfleet**", "README.md"},
	{"ogen client", benchmarks + "/weight/testdata/ogen/main.go"},
}

func main() {
	log.SetFlags(0)
	if out, err := exec.Command("go", "generate", "./"+benchmarks+"/weight").CombinedOutput(); err != nil {
		log.Fatalf("weight: go generate: %v\n%s", err, out)
	}
	fmt.Print("| program | first build, processor time | binary | outside modules |\n|---|---|---|---|\n")
	for _, p := range programs {
		w, err := p.weigh()
		if err != nil {
			log.Fatalf("weight: %s: %v", p.title, err)
		}
		fmt.Printf("| %s | %.1f s | %.1f MB | %d |\n", p.title, w.processor.Seconds(), float64(w.size)/1e6, len(w.modules))
	}
}

// weight is the result for a program.
type weight struct {
	processor time.Duration
	size      int64
	modules   []string // From outside this repository.
}

// weigh builds a program, compiling all that is not of the standard library.
func (p program) weigh() (w weight, err error) {
	folder, err := os.MkdirTemp("", "weight")
	if err != nil {
		return w, err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	source, err := p.file(folder)
	if err != nil {
		return w, err
	}
	paths, err := command("list", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}", source).Output()
	if err != nil {
		return w, err
	}
	modules := slices.Compact(slices.Sorted(strings.FieldsSeq(string(paths))))
	// A flag without effect that no build had before makes the compiler run. Without C, the size is the same everywhere.
	unused := "-D=" + folder
	args := []string{"build", "-o", filepath.Join(folder, "program"), "-gcflags=" + unused}
	for _, module := range modules {
		args = append(args, "-gcflags="+module+"/...="+unused)
		if !strings.HasPrefix(module, "github.com/rpcfleet/") {
			w.modules = append(w.modules, module)
		}
	}
	build := command(append(args, source)...)
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return w, err
	}
	w.processor = build.ProcessState.UserTime() + build.ProcessState.SystemTime()
	binary, err := os.Stat(filepath.Join(folder, "program"))
	if err != nil {
		return w, err
	}
	w.size = binary.Size()
	return w, nil
}

// file returns the absolute path of the program, which is written into a folder if it is on a page.
func (p program) file(folder string) (string, error) {
	if !strings.HasSuffix(p.source, ".md") {
		return filepath.Abs(p.source)
	}
	page, err := os.ReadFile(p.source)
	if err != nil {
		return "", err
	}
	_, rest, _ := strings.Cut(string(page), "\n```go\n")
	source, _, found := strings.Cut(rest, "\n```\n")
	if !found {
		return "", fmt.Errorf("%s has no program", p.source)
	}
	file := filepath.Join(folder, "main.go")
	return file, os.WriteFile(file, []byte(source+"\n"), 0o600)
}

// command returns a go command in the module, outside the workspace.
func command(args ...string) *exec.Cmd {
	c := exec.Command("go", args...)
	c.Dir, c.Env = benchmarks, append(os.Environ(), "GOWORK=off", "GOFLAGS=", "CGO_ENABLED=0")
	return c
}
