package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/rpcfleet/rpcfleet-go/emulator"
	"github.com/rpcfleet/rpcfleet-go/emulator/fleet"
)

// populate adds the fleet in a file. An error names the file and the place in it.
func populate(service *emulator.Emulator, file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var root yaml.Node // None for a file of JSON.
	if !strings.HasSuffix(file, ".json") {
		if text, err = fromYAML(text, &root); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	read, err := fleet.Read(bytes.NewReader(text))
	if err == nil {
		_, err = service.Populate(read)
	}
	if wrong := (*fleet.Error)(nil); errors.As(err, &wrong) {
		if line := lineOf(&root, wrong.Place); line > 0 {
			return fmt.Errorf("%s:%d: %w", file, line, wrong)
		}
		return fmt.Errorf("%s: %w", file, wrong)
	}
	return err
}

// fromYAML turns YAML into JSON.
func fromYAML(text []byte, root *yaml.Node) ([]byte, error) {
	if err := yaml.Unmarshal(text, root); err != nil {
		return nil, err
	}
	value, err := new(converter).valueOf(root)
	if err != nil {
		return nil, err
	}
	if value == nil {
		value = map[string]any{} // A file of comments alone is an empty fleet.
	}
	return json.Marshal(value)
}
