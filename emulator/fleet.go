package emulator

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/adminapi"
	"github.com/rpcfleet/rpcfleet-go/emulator/internal/serve"
)

// SeedRequest is one request of a fleet: see [Emulator.Populate].
type SeedRequest struct {
	// Do is the method and the path, such as "POST /v0/endpoints". The routes of [WithAdminAPI] are among the paths.
	Do string `json:"do" yaml:"do"`
	// Body is the body, as a value with the JSON form of the service.
	Body any `json:"body,omitempty" yaml:"body"`
	// As is a name for the id in the response, of letters and digits. Later requests of the fleet have it in the place of
	// the id, as in "/v0/endpoints/$checkout/tags".
	As string `json:"as,omitempty" yaml:"as"`
}

// Populate executes the requests of a fleet with the administrator's key, and returns the ids by the names of
// [SeedRequest.As]. No fault and no limit applies to them, and they are not recorded. It ends with the first request
// that is rejected. The error names it.
//
//	ids, err := service.Populate(
//		emulator.SeedRequest{Do: "POST /v0/teams", Body: map[string]string{"name": "Payments"}, As: "payments"},
//		emulator.SeedRequest{Do: "POST /v0/teams/$payments/members", Body: map[string]string{"email": "owner@example.com"}})
func (e *Emulator) Populate(fleet ...SeedRequest) (map[string]string, error) {
	ids := map[string]string{}
	for i, one := range fleet {
		id, err := e.execute(one, ids)
		if err != nil {
			return ids, fmt.Errorf("emulator: request %d, %s: %w", i+1, one.Do, err)
		}
		if one.As != "" {
			ids[one.As] = id
		}
	}
	return ids, nil
}

var nameRE = regexp.MustCompile(`\$\w+`)

// execute executes a request, and returns the id in its response if there is one.
func (e *Emulator) execute(one SeedRequest, ids map[string]string) (string, error) {
	insert := func(text string) string {
		return nameRE.ReplaceAllStringFunc(text, func(name string) string { return cmp.Or(ids[name[1:]], name) })
	}
	body, err := json.Marshal(one.Body)
	if err != nil {
		return "", err
	}
	if one.Body == nil {
		body = nil
	}
	body = []byte(insert(string(body)))
	method, path, _ := strings.Cut(insert(one.Do), " ")
	r, err := http.NewRequest(method, ClientURL+path, bytes.NewReader(body))
	if err != nil {
		return "", err
	}
	r.Header.Set("X-Api-Key", e.APIKey)
	response := &responseBuffer{header: http.Header{}, status: http.StatusOK}
	if isControl(r) {
		e.control.ServeHTTP(response, r)
	} else {
		e.mu.Lock()
		e.newRequest(r, body).respond(response)
		e.mu.Unlock()
	}
	if response.status >= 300 {
		return "", fmt.Errorf("status %d: %s", response.status, bytes.TrimSpace(response.body.Bytes()))
	}
	var made struct {
		ID   json.RawMessage
		Data struct{ ID json.RawMessage }
	}
	_ = json.Unmarshal(response.body.Bytes(), &made) // Not every response has an id.
	return strings.Trim(string(made.ID)+string(made.Data.ID), `"`), nil
}

// EndpointSpec describes an endpoint for AddEndpoint. Only the chain and the network are required.
type EndpointSpec struct {
	// Chain and Network are slugs of the emulator's catalogue, such as "base" and "base-mainnet".
	Chain   string `json:"chain"`
	Network string `json:"network"`
	// Label is the label, or empty for none.
	Label string `json:"label"`
	// Tags are the labels of the endpoint's tags.
	Tags []string `json:"tags"`
	// Paused creates the endpoint paused.
	Paused bool `json:"paused"`
	// Dedicated and FlatRate are for the filters of listings. No operation of the service sets them.
	Dedicated bool `json:"dedicated"`
	FlatRate  bool `json:"flat_rate"`
	// Options enables and disables security options by the names of the service, such as "referrers".
	Options map[string]bool `json:"options"`
	// Usage are calls of the endpoint.
	Usage []LoggedCall `json:"usage"`
}

// AddEndpoint creates an endpoint and returns its id. It can create endpoints that no operation can, and it is quicker
// than a request. If the spec breaks a rule of the service, there is no endpoint.
func (e *Emulator) AddEndpoint(spec EndpointSpec) (string, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if err := checkNetwork(spec.Chain, spec.Network); err != nil {
		return "", fmt.Errorf("emulator: %w", err)
	}
	before := slices.Clip(e.state.endpoints)
	added := e.state.newEndpoint(spec.Chain, spec.Network)
	added.Label, added.IsDedicated, added.IsFlatRate = nonZero(spec.Label), &spec.Dedicated, &spec.FlatRate
	if spec.Paused {
		added.Status = adminapi.EndpointStatusPaused
	}
	_, err := e.state.appendLog(added, spec.Usage)
	for name, on := range spec.Options {
		found := option(added.options, adminapi.SecurityOptionName(name))
		switch {
		case found == nil:
			err = fmt.Errorf("emulator: unknown security option %q", name)
		case on:
			found.Status = adminapi.SwitchEnabled
		default:
			found.Status = adminapi.SwitchDisabled
		}
	}
	for _, label := range spec.Tags {
		err = cmp.Or(err, serve.Check(&adminapi.AddEndpointTagRequest{Label: label}))
		added.addTag(e.state.tagLabelled(label))
	}
	if err != nil {
		e.state.endpoints = before
		return "", err
	}
	return added.ID, nil
}

// CreateEndpoints creates n active endpoints without labels and tags, spread evenly over the networks of the
// catalogue, and returns their ids in the order of creation.
func (e *Emulator) CreateEndpoints(n int) []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	ids := make([]string, 0, max(n, 0))
	for i := range n {
		network := networks[i%len(networks)]
		ids = append(ids, e.state.newEndpoint(network.chain, network.slug).ID)
	}
	return ids
}
