//go:build !contestants

package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// module is the import path of this program.
const module = "github.com/rpcfleet/rpcfleet-go/internal/benchmarks"

func main() {
	log.SetFlags(0)
	if err := startAgain(os.Args[1:]); err != nil {
		log.Fatal("benchmarks: ", err)
	}
}

// startAgain generates the contestants if necessary and runs the program again with them.
func startAgain(args []string) error {
	directory, err := exec.Command("go", "list", "-f", "{{.Dir}}", module).Output()
	if err != nil {
		return fmt.Errorf("run this inside the workspace: %w", err)
	}
	if err := generate(strings.TrimSpace(string(directory))); err != nil {
		return err
	}
	return command("go", append([]string{"run", "-tags", "contestants", module}, args...)...).Run()
}

// generate generates the contestants unless their sources are unchanged.
func generate(directory string) error {
	stamp := filepath.Join(directory, "internal", "generated", "stamp")
	sum, err := sources(directory)
	if err != nil {
		return err
	}
	if last, err := os.ReadFile(stamp); err == nil && string(last) == sum {
		return nil
	}
	log.Print("benchmarks: generating the contestants")
	generator := command("go", "generate", ".")
	generator.Dir = directory
	if err := generator.Run(); err != nil {
		return fmt.Errorf("go generate: %w", err)
	}
	return os.WriteFile(stamp, []byte(sum), 0o644)
}

// sources returns a hash of the generators and their inputs.
func sources(directory string) (string, error) {
	hash := sha256.New()
	for _, pattern := range []string{
		"generate.go", "internal/generated/*/*.yaml", "../tools/go.mod",
		"../../openapi/admin.yaml", "../../graph/schema.graphql", "internal/generated/graphql/*.graphql",
	} {
		files, err := filepath.Glob(filepath.Join(directory, pattern))
		if err != nil {
			return "", err
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				return "", err
			}
			hash.Write(fmt.Appendf(nil, "%s %d\n%s", filepath.Base(file), len(text), text))
		}
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}

// command returns a command that shares this program's output.
func command(name string, args ...string) *exec.Cmd {
	c := exec.Command(name, args...)
	c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, os.Stderr
	return c
}
