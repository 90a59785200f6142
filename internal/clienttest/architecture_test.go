package clienttest

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/test/race"
)

// TestTheDrawingIsTrue holds the arrows of docs/architecture.md against the imports of the packages that it shows.
func TestTheDrawingIsTrue(t *testing.T) {
	race.Skip(t)
	page, err := os.ReadFile("../../docs/architecture.md")
	require.NoError(t, err)
	drawing, _, _ := strings.Cut(string(page), "\n```\n")
	const module = "github.com/rpcfleet/rpcfleet-go"
	boxes := map[string]string{} // The name of a box by the path of its package.
	for _, box := range regexp.MustCompile(`(?m)^ +(\w+)\["([\w/]+)<br/>`).FindAllStringSubmatch(drawing, -1) {
		boxes[strings.TrimSuffix(module+"/"+box[2], "/rpcfleet")] = box[1]
	}
	require.Contains(t, boxes, module, "the root package has a box")
	drawn := map[string]bool{}
	for _, arrow := range regexp.MustCompile(`(?m)^ +\w+ --> \w+$`).FindAllString(drawing, -1) {
		drawn[strings.TrimSpace(arrow)] = true
	}
	arguments := []string{"list", "-f", `{{.ImportPath}}{{range .Imports}} {{.}}{{end}}`}
	for path := range boxes {
		arguments = append(arguments, path)
	}
	list := exec.Command("go", arguments...)
	list.Dir = "../.."
	output, err := list.Output()
	require.NoError(t, err)
	imported := map[string]bool{}
	for line := range strings.Lines(string(output)) {
		paths := strings.Fields(line)
		for _, path := range paths[1:] {
			if !strings.HasPrefix(path, module) {
				continue
			}
			if assert.Contains(t, boxes, path, "a package without a box") {
				imported[boxes[paths[0]]+" --> "+boxes[path]] = true
			}
		}
	}
	assert.Equal(t, imported, drawn)
}
