package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// hook is the command that takes new tokens over.
type hook struct {
	command []string
	timeout time.Duration
}

// run runs the hook for an endpoint. The message goes to its input, and nowhere else. What the hook writes is shown only
// where it fails, and without the token. It does not get the API key.
func (h *hook) run(ctx context.Context, m *message) error {
	input, err := json.Marshal(scalar.Revealed[*message]{Value: m})
	if err != nil {
		return err
	}
	within, cancel := context.WithTimeout(ctx, h.timeout)
	defer cancel()
	command := exec.CommandContext(within, h.command[0], h.command[1:]...)
	command.Stdin = bytes.NewReader(append(input, '\n'))
	command.Env = slices.DeleteFunc(os.Environ(), func(variable string) bool {
		return strings.HasPrefix(variable, "RPCFLEET_API_KEY=")
	})
	command.WaitDelay = time.Second // Where the hook has left something behind that holds its output.
	output, err := command.CombinedOutput()
	if err == nil {
		return nil
	}
	if within.Err() != nil && ctx.Err() == nil {
		err = fmt.Errorf("not done within %s", h.timeout)
	}
	said := strings.TrimSpace(strings.ReplaceAll(string(output), m.Token.Reveal(), "[redacted]"))
	return fmt.Errorf("%w: %.500q", err, said)
}
