// Command pack writes the modules of a revision into a folder that the go command can use as a module proxy, as if they
// were published with a version.
//
//	pack REPOSITORY REVISION VERSION FOLDER
package main

import (
	"bytes"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

const root = "github.com/rpcfleet/rpcfleet-go"

func main() {
	if len(os.Args) != 5 {
		log.Fatal("usage: pack REPOSITORY REVISION VERSION FOLDER")
	}
	repository, revision, version, folder := os.Args[1], os.Args[2], os.Args[3], os.Args[4]
	files, err := exec.Command("git", "-C", repository, "ls-tree", "-r", "--name-only", revision).Output()
	if err != nil {
		log.Fatal(err)
	}
	for file := range strings.Lines(string(files)) {
		file = strings.TrimSpace(file)
		published := file == "go.mod" || file == "examples/go.mod" || strings.HasPrefix(file, "contrib/")
		if !published || path.Base(file) != "go.mod" {
			continue
		}
		if err := pack(repository, revision, path.Dir(file), version, folder); err != nil {
			log.Fatalf("%s: %v", file, err)
		}
	}
}

// pack writes the files of a module that a proxy serves.
func pack(repository, revision, directory, version, folder string) error {
	directory = strings.TrimPrefix(directory, ".")
	m := module.Version{Path: path.Join(root, directory), Version: version}
	folder = filepath.Join(folder, filepath.FromSlash(m.Path), "@v")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	mod, err := exec.Command("git", "-C", repository, "show", revision+":"+path.Join(directory, "go.mod")).Output()
	if err != nil {
		return err
	}
	var archive bytes.Buffer
	if err := zip.CreateFromVCS(&archive, m, repository, revision, directory); err != nil {
		return err
	}
	for name, text := range map[string]string{
		"list": version + "\n", version + ".info": fmt.Sprintf(`{"Version":%q}`, version), version + ".mod": string(mod),
		version + ".zip": archive.String(),
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}
