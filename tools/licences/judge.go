package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/google/licensecheck"
)

// permissive are the licences that ask no more than that their notice is passed on.
var permissive = []string{"0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "ISC", "MIT", "MIT-0", "Unlicense", "Zlib"}

// spared are modules whose licence asks more than that its notice is passed on, each with the reason why it may stay.
var spared = map[string]map[string]string{
	"github.com/hashicorp/go-retryablehttp": {"MPL-2.0": "used as it is, unchanged: the licence reaches its own files only"},
	"github.com/hashicorp/go-cleanhttp":     {"MPL-2.0": "used as it is, unchanged: the licence reaches its own files only"},
}

// licenceFile matches the names of files that hold a licence.
var licenceFile = regexp.MustCompile(`(?i)^(un)?licen[cs]e|^copying`)

// enough is how much of a file must be the text of known licences, in percent; the rest is names and headings.
const enough = 75

// judge finds the licences of the module. Its error says which is not let through, or that there is none.
func (m *module) judge() error {
	var ids []string
	for _, folder := range m.folders() {
		entries, err := os.ReadDir(folder)
		if err != nil {
			return err
		}
		for _, entry := range entries {
			if entry.IsDir() || !licenceFile.MatchString(entry.Name()) || strings.HasSuffix(entry.Name(), ".go") {
				continue
			}
			read, err := m.read(filepath.Join(folder, entry.Name()))
			if err != nil {
				return fmt.Errorf("%s %s: %s: %w", m.Path, m.Version, entry.Name(), err)
			}
			ids = append(ids, read...)
		}
	}
	if len(ids) == 0 {
		return fmt.Errorf("%s %s has no file with a licence", m.Path, m.Version)
	}
	slices.Sort(ids)
	m.licence = strings.Join(slices.Compact(ids), ", ")
	return nil
}

// folders are those of the packages in use and all above them, up to the module's own.
func (m *module) folders() []string {
	above := map[string]bool{}
	var all []string
	for folder := range m.packages {
		for ; strings.HasPrefix(folder, m.Dir) && !above[folder]; folder = filepath.Dir(folder) {
			above[folder] = true
			all = append(all, folder)
		}
	}
	slices.Sort(all)
	return all
}

// read returns the licences in a file.
func (m *module) read(path string) ([]string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	coverage := licensecheck.Scan(text)
	if coverage.Percent < enough {
		return nil, fmt.Errorf("only %.0f%% of it is the text of a known licence", coverage.Percent)
	}
	var ids []string
	for _, match := range coverage.Match {
		if !slices.Contains(permissive, match.ID) && spared[m.Path][match.ID] == "" {
			return nil, fmt.Errorf("%s is not let through: it is not permissive", match.ID)
		}
		ids = append(ids, match.ID)
	}
	return ids, nil
}
