package acceptance

import (
	"go/ast"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var fenced = regexp.MustCompile("(?ms)^```go\n(.*?)^```$")

// pagePrograms returns the Go programs of README.md and the pages of docs, by the headings above them.
func pagePrograms(t *testing.T) map[string]string {
	t.Helper()
	programs := map[string]string{}
	for _, file := range []string{"../../README.md", "../../docs/recipes.md", "../../docs/testing.md"} {
		page := must(os.ReadFile(file))(t)
		for section := range strings.SplitSeq(string(page), "\n## ") {
			heading, _, _ := strings.Cut(section, "\n")
			for _, found := range fenced.FindAllStringSubmatch(section, -1) {
				require.NotContains(t, programs, heading, "one program a section")
				programs[heading] = found[1]
			}
		}
	}
	return programs
}

// packageCode returns the code of a package's comment, all of its blocks in one.
func packageCode(t *testing.T, file string) string {
	t.Helper()
	syntax := must(parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments|parser.PackageClauseOnly))(t)
	var code strings.Builder
	for _, block := range new(comment.Parser).Parse(syntax.Doc.Text()).Content {
		if block, is := block.(*comment.Code); is {
			code.WriteString(block.Text + "\n")
		}
	}
	return code.String()
}

var qualifier = regexp.MustCompile(`\b(\w+)\.[A-Z]`)

// imports are the paths of the packages that the code of package comments uses.
var imports = map[string]string{
	"rpcfleet": "github.com/rpcfleet/rpcfleet-go", "admin": "github.com/rpcfleet/rpcfleet-go/admin",
	"alerts": "github.com/rpcfleet/rpcfleet-go/alerts", "graph": "github.com/rpcfleet/rpcfleet-go/graph",
	"scalar": "github.com/rpcfleet/rpcfleet-go/scalar", "emulator": "github.com/rpcfleet/rpcfleet-go/emulator",
	"graphql": "github.com/Khan/genqlient/graphql",
	"context": "context", "fmt": "fmt", "log": "log", "os": "os", "http": "net/http", "time": "time", "errors": "errors",
	"httptest": "net/http/httptest", "strings": "strings",
}

// program makes a program of the code in a package's comment. The code is the body of a function. Before it comes the
// setup that the comment assumes, after it a check that it did something, and beside it the declarations that it needs.
func program(before, code, after, beside string) string {
	body := `func main() {
	if err := run(context.Background(), os.Getenv("RPCFLEET_BASE_URL"), os.Getenv("RPCFLEET_API_KEY")); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, address, key string) error {
` + before + "\n" + code + "\n" + after + `
	return nil
}

` + beside
	var text strings.Builder
	text.WriteString("package main\n\n")
	seen := map[string]bool{}
	for _, found := range qualifier.FindAllStringSubmatch(body, -1) {
		if path, known := imports[found[1]]; known && !seen[path] {
			seen[path] = true
			text.WriteString("import \"" + path + "\"\n")
		}
	}
	return text.String() + body
}

// packageComments are the files with the comments of the packages that callers use.
func packageComments(t *testing.T) []string {
	t.Helper()
	var files []string
	for _, folder := range []string{"", "admin/", "alerts/", "graph/", "scalar/", "emulator/"} {
		file := "../../" + folder + "doc.go"
		syntax := must(parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments|parser.PackageClauseOnly))(t)
		require.IsType(t, &ast.CommentGroup{}, syntax.Doc)
		files = append(files, file)
	}
	return files
}
