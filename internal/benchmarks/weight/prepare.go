package main

import (
	"bytes"
	"embed"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// The modules of this repository.
const (
	library = "github.com/rpcfleet/rpcfleet-go"
	own     = library + "/internal/benchmarks"
)

//go:embed testdata
var testdata embed.FS

// locations holds the folders.
type locations struct{ repository, benchmarks, temporary string }

func locate() (locations, error) {
	found, err := lines(".", "list", "-m", "-f", "{{.Dir}}", own)
	if err != nil {
		return locations{}, err
	}
	return locations{repository: filepath.Dir(filepath.Dir(found[0])), benchmarks: found[0]}, nil
}

// module returns the folder of a program.
func (l locations) module(p program) string { return filepath.Join(l.temporary, p.name) }

// cache is the build cache, with only the standard library.
func (l locations) cache() string { return filepath.Join(l.temporary, "cache") }

// prepare creates the module of a program and builds its part of the standard library.
func (l locations) prepare(p program) error {
	module := l.module(p)
	source, err := fs.Sub(testdata, "testdata/"+p.name)
	if err != nil {
		return err
	}
	if err := os.CopyFS(module, source); err != nil {
		return err
	}
	if p.generate != nil {
		if err := p.generate(l, module); err != nil {
			return err
		}
	}
	if err := l.writeModule(p, module); err != nil {
		return err
	}
	standard, err := lines(module, "list", "-deps", "-f", "{{if .Standard}}{{.ImportPath}}{{end}}", ".")
	if err != nil {
		return err
	}
	standard = slices.DeleteFunc(standard, func(path string) bool { return path == "unsafe" })
	return command(module, l.cache(), append([]string{"build"}, standard...)...).Run()
}

// writeModule writes the go.mod of a program and runs go mod tidy.
func (l locations) writeModule(p program, module string) error {
	text, err := l.goMod(p)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(module, "go.mod"), []byte(text), 0o644); err != nil {
		return err
	}
	return command(module, "", "mod", "tidy").Run()
}

// goMod returns a go.mod with the versions of the benchmarks and this repository's library.
func (l locations) goMod(p program) (string, error) {
	text := "module weight.example/" + p.name + "\n\ngo 1.26.0\n"
	for _, path := range p.requires {
		if path == library {
			text += "\nrequire " + library + " v0.0.0\nreplace " + library + " => " + l.repository + "\n"
			continue
		}
		version, err := lines(l.benchmarks, "list", "-m", "-f", "{{.Version}}", path)
		if err != nil {
			return "", err
		}
		text += "\nrequire " + path + " " + version[0] + "\n"
	}
	return text, nil
}

func generateOAPI(l locations, module string) error {
	return l.tool("oapi-codegen", module, "-package", "admin", "-generate", "types,client",
		"-o", filepath.Join(module, "admin", "admin.gen.go"), filepath.Join(l.repository, "openapi", "admin.yaml"))
}

func generateOgen(l locations, module string) error {
	return l.tool("ogen", module, "-loglevel", "error", "-config", filepath.Join(module, "config.yaml"),
		"-package", "admin", "-target", filepath.Join(module, "admin"), filepath.Join(l.repository, "openapi", "admin.yaml"))
}

// tool runs a generator pinned in tools/.
func (l locations) tool(name, module string, args ...string) error {
	if err := os.MkdirAll(filepath.Join(module, "admin"), 0o755); err != nil {
		return err
	}
	return command(filepath.Join(l.repository, "internal", "tools"), "", append([]string{"tool", name}, args...)...).Run()
}

// command returns a go command outside the workspace. An empty cache means the default one.
func command(directory, cache string, args ...string) *exec.Cmd {
	c := exec.Command("go", args...)
	c.Dir, c.Stderr = directory, os.Stderr
	c.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	if cache != "" {
		c.Env = append(c.Env, "GOCACHE="+cache)
	}
	return c
}

// lines returns the distinct lines that a go command prints.
func lines(directory string, args ...string) ([]string, error) {
	c := command(directory, "", args...)
	if directory == "." {
		c.Env = os.Environ() // The workspace has the modules.
	}
	var out bytes.Buffer
	c.Stdout = &out
	if err := c.Run(); err != nil {
		return nil, err
	}
	all := strings.Fields(out.String())
	slices.Sort(all)
	return slices.Compact(all), nil
}
