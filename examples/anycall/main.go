// Anycall makes a call that the library has no method for, with the client's credentials, retries and errors. It prints
// the payload of the response, secrets included.
//
//	go run ./examples/anycall
//	go run ./examples/anycall GET '/v0/endpoints/{id}/uptime' id=1003 days=7    # days is not in the path: a query
//	go run ./examples/anycall -body '{"label": "checkout"}' PATCH '/v0/endpoints/{id}' id=1003
//
// RPCFLEET_BASE_URL and RPCFLEET_API_KEY select the account. If RPCFLEET_BASE_URL is not set, it runs on an emulator in
// its own process, with an additional route.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"unicode"
	"unicode/utf16"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/emulator"
)

func main() {
	body := flag.String("body", "", "the body, in `JSON`")
	flag.Parse()
	if err := run(context.Background(), *body, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "anycall:", err)
		os.Exit(1)
	}
}

// connect returns a client for the account in the environment, or for an emulator if no account is set.
func connect() (*rpcfleet.Client, error) {
	if os.Getenv("RPCFLEET_BASE_URL") != "" {
		return rpcfleet.NewFromEnv()
	}
	service := emulator.New()
	service.CreateEndpoints(1)
	routes := http.NewServeMux()
	routes.Handle("/", service)
	routes.HandleFunc("GET /v0/endpoints/{id}/uptime", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprintf(w, `{"data": {"endpoint": %q, "days": %q, "percent": 99.95}}`, r.PathValue("id"), r.URL.Query().Get("days"))
	})
	server := httptest.NewServer(routes)
	fmt.Fprintln(os.Stderr, "No RPCFLEET_BASE_URL: using an emulator at", server.URL)
	return rpcfleet.New(rpcfleet.WithBaseURL(server.URL), rpcfleet.WithAPIKey(service.APIKey))
}

func run(ctx context.Context, body string, arguments []string) error {
	if len(arguments) == 0 {
		arguments = []string{"GET", "/v0/endpoints/{id}/uptime", "id=1003", "days=7"}
	}
	if len(arguments) < 2 {
		return errors.New("give a method and a path (-h explains)")
	}
	client, err := connect()
	if err != nil {
		return err
	}
	request := rpcfleet.Request{
		Method: strings.ToUpper(arguments[0]), Path: arguments[1], PathParams: map[string]string{}, Query: url.Values{},
	}
	for _, argument := range arguments[2:] {
		name, value, _ := strings.Cut(argument, "=")
		if strings.Contains(request.Path, "{"+name+"}") {
			request.PathParams[name] = value
		} else {
			request.Query.Add(name, value)
		}
	}
	if body != "" {
		request.Body = json.RawMessage(body)
	}
	// Your own type with tags of encoding/json works as well: rpcfleet.Do[Uptime](ctx, client, request).
	payload, err := rpcfleet.Do[json.RawMessage](ctx, client, request)
	if errors.Is(err, rpcfleet.ErrNoRecord) {
		fmt.Fprintln(os.Stderr, "executed; the response contains no payload")
		return nil
	}
	if err != nil {
		return err
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, payload, "", "  "); err != nil {
		return err
	}
	fmt.Println(printable(indented.String()))
	return nil
}

// printable escapes characters in JSON that act on a terminal, such as U+009B and U+202E, which JSON does not.
func printable(text string) string {
	var escaped strings.Builder
	for _, r := range text {
		if unicode.IsPrint(r) || r == '\n' {
			escaped.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&escaped, `\u%04x`, unit)
		}
	}
	return escaped.String()
}
