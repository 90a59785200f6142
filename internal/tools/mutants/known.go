package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"strings"
)

// readKnown reads a list of mutants that may survive. The indented line below a mutant is the reason. If several
// mutants share a reason, it follows the last of them.
//
//	client_call.go *call.prepare: `c.own` left out of field own
//	client_call.go *call.prepare: `1 << 16` plus 1
//		Only a saving.
func readKnown(path string) (map[string]string, error) {
	known := map[string]string{}
	file, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return known, nil
	} else if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	var waiting []string
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		line := lines.Text()
		switch text := strings.TrimSpace(line); {
		case text == "" || strings.HasPrefix(line, "#"):
		case !strings.HasPrefix(line, "\t"):
			waiting = append(waiting, text)
		default:
			for _, name := range waiting {
				known[name] = text
			}
			waiting = nil
		}
	}
	if len(waiting) > 0 {
		return nil, fmt.Errorf("%s: no reason for %s", path, waiting[0])
	}
	return known, lines.Err()
}
