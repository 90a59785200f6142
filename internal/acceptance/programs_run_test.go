package acceptance

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// patience is the wait for events that happen at once on an idle machine, before they count as never.
const patience = 5 * time.Minute

// freeAddress returns an address without a listener. If all of 127.0.0.0/8 is this machine, no other test uses the
// address before its port is taken.
func freeAddress(t *testing.T) string {
	t.Helper()
	own := fmt.Sprintf("127.%d.%d.%d:0", 1+rand.N(254), rand.N(256), 1+rand.N(254))
	listener, err := net.Listen("tcp", own)
	if err != nil {
		listener, err = net.Listen("tcp", "127.0.0.1:0")
	}
	require.NoError(t, err)
	defer func() { _ = listener.Close() }()
	return listener.Addr().String()
}

// pages builds and runs programs.
type pages struct {
	t       *testing.T
	bin     string
	sources map[string]string
	env     []string
}

func (p *pages) path(name string) string {
	letters := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' {
			return r
		}
		return -1
	}, strings.ToLower(name))
	return filepath.Join(p.bin, letters)
}

// build makes a program of each source. The sources are put into folders of this module that do not exist.
func (p *pages) build() {
	here, err := os.Getwd()
	require.NoError(p.t, err)
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	var programs []string
	for name, text := range p.sources {
		folder, file := filepath.Base(p.path(name)), "main.go"
		if strings.HasPrefix(text, "package main\n") {
			programs = append(programs, "./programs/"+folder)
		} else {
			file = "x_test.go"
		}
		source := p.path(name) + ".go"
		require.NoError(p.t, os.WriteFile(source, []byte(text), 0o600))
		overlay.Replace[filepath.Join(here, "programs", folder, file)] = source
	}
	described, err := json.Marshal(overlay)
	require.NoError(p.t, err)
	file := filepath.Join(p.bin, "overlay.json")
	require.NoError(p.t, os.WriteFile(file, described, 0o600))
	p.tool(append([]string{"build", "-overlay", file, "-ldflags=-s -w", "-o", p.bin}, programs...)...)
	for name, text := range p.sources {
		if !strings.HasPrefix(text, "package main\n") {
			folder := "./programs/" + filepath.Base(p.path(name))
			p.tool("test", "-vet=off", "-ldflags=-s -w", "-overlay", file, "-c", "-o", p.path(name), folder)
		}
	}
}

func (p *pages) tool(arguments ...string) {
	output, err := exec.Command("go", arguments...).CombinedOutput()
	require.NoError(p.t, err, "go %v\n%s", arguments, output)
}

// start starts a program. It is ended with the test.
func (p *pages) start(name string, arguments ...string) *running {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), patience)
	p.t.Cleanup(cancel)
	r := &running{Cmd: exec.CommandContext(ctx, p.path(name), arguments...)}
	r.Dir, r.Env, r.Stdout, r.Stderr = p.bin, p.env, r, r
	require.NoError(p.t, r.Start())
	p.t.Cleanup(func() { _ = r.Process.Kill() })
	return r
}

// ended returns the output of a program that ends by itself, without an error.
func (p *pages) ended(name string, arguments ...string) string {
	p.t.Helper()
	r := p.start(name, arguments...)
	require.NoError(p.t, r.Wait(), "%s: %s", name, r.output())
	return r.output()
}

// saved returns the file of the checkpoint that a program has saved last under a key, or nothing if there is no
// checkpoint. If FileCheckpointStore read it during a save, it would take that checkpoint for one that a dead program
// has left, and remove it.
func (p *pages) saved(key string) string {
	text, _ := os.ReadFile(filepath.Join(p.bin, key+".checkpoint"))
	return string(text)
}

// running is a program that runs.
type running struct {
	*exec.Cmd

	mu   sync.Mutex
	text bytes.Buffer
}

func (r *running) Write(text []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.Write(text)
}

func (r *running) output() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.String()
}

// prints waits until the program has printed a text.
func (r *running) prints(t *testing.T, text string) {
	t.Helper()
	require.Eventually(t, func() bool { return strings.Contains(r.output(), text) }, patience, 10*time.Millisecond,
		"%s in %s", text, r)
}

// String returns the output of the program so far.
func (r *running) String() string { return r.output() }
