// Areas generates the code of each area from its OpenAPI file, with the configurations in openapi/. It puts the name of
// the area in the place of AREA. Run it in internal/tools:
//
//	go run ./areas ../..
package main

import (
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func main() {
	for _, area := range []string{"admin", "alerts", "keyvalue", "streams", "webhooks"} {
		if err := generate(filepath.Join(os.Args[1], "openapi"), area); err != nil {
			log.Fatalf("areas: %s: %v", area, err)
		}
	}
}

// generate runs oapi-codegen with each configuration.
func generate(folder, area string) error {
	configs, err := filepath.Glob(filepath.Join(folder, "*.config.yaml"))
	if err != nil {
		return err
	}
	for _, config := range configs {
		text, err := os.ReadFile(config)
		if err != nil {
			return err
		}
		own := filepath.Join(os.TempDir(), fmt.Sprintf("areas-%d.yaml", os.Getpid()))
		defer func() { _ = os.Remove(own) }()
		if err := os.WriteFile(own, []byte(strings.ReplaceAll(string(text), "AREA", area)), 0o600); err != nil {
			return err
		}
		run := exec.Command("go", "tool", "oapi-codegen", "-config", own, filepath.Join(folder, area+".yaml"))
		run.Stdout, run.Stderr = os.Stdout, os.Stderr
		if err := run.Run(); err != nil {
			return fmt.Errorf("%s: %w", config, err)
		}
	}
	return nil
}
