package emulator

import (
	"fmt"
	"strconv"
	"time"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/adminapi"
)

// endpoint is one endpoint of the account.
type endpoint struct {
	id string
	// number is the id as a number. Endpoints created later have larger ones.
	number int64
	// name is the subdomain.
	name string
	// label is nil until one is given.
	label      *string
	chain      *chain
	network    *network
	status     adminapi.EndpointStatus
	token      string
	createdAt  time.Time
	dedicated  bool
	flatRate   bool
	multichain bool
	archived   bool
	// tags are shared with the account's list, so that a tag renamed there is renamed here.
	tags []*tag

	security securityState
	limits   limitState
}

// addEndpoint creates an active endpoint.
func (s *state) addEndpoint(chain *chain, network *network) *endpoint {
	added := s.newEndpoint(chain, network)
	s.attach(added)
	return added
}

// attach makes an endpoint one of the account's.
func (s *state) attach(added *endpoint) {
	s.endpoints[added.id] = added
	s.order = append(s.order, added)
}

// newEndpoint makes an active endpoint that the account does not have yet.
func (s *state) newEndpoint(chain *chain, network *network) *endpoint {
	// Ids are numbers in text: the contract has them as text here and as numbers in the endpoints of a team.
	number := s.ids.number()
	added := &endpoint{
		id:        strconv.FormatInt(number, 10),
		number:    number,
		name:      s.ids.subdomain(number),
		chain:     chain,
		network:   network,
		status:    adminapi.EndpointStatusActive,
		token:     s.ids.token(),
		createdAt: s.now(),
	}
	added.security = newSecurity(s, added)
	added.limits = newLimits(s)
	return added
}

// host is where the addresses of endpoints point: a name that is reserved for examples, where nothing responds.
const host = "emulator.example"

// urlsOn returns the addresses of the endpoint on a network. The WebSocket address is nil where there is none.
func (e *endpoint) urlsOn(network *network) (http string, wss *string) {
	address := fmt.Sprintf("%s.%s.%s/%s/", e.name, network.slug, host, e.token)
	if !network.plainHTTP {
		wss = new("wss://" + address)
	}
	return "https://" + address, wss
}

// listed is the endpoint as a listing shows it.
func (e *endpoint) listed() adminapi.Endpoint {
	http, wss := e.urlsOn(e.network)
	return adminapi.Endpoint{
		ID:           e.id,
		Name:         e.name,
		Label:        e.label,
		Status:       e.status,
		Chain:        e.chain.slug,
		Network:      e.network.slug,
		IsDedicated:  e.dedicated,
		IsFlatRate:   e.flatRate,
		IsMultichain: e.multichain,
		HTTPURL:      http,
		WSSURL:       wss,
		Tags:         e.tagRecords(),
	}
}

// single is the endpoint as it is shown by itself.
func (e *endpoint) single() adminapi.SingleEndpoint {
	http, wss := e.urlsOn(e.network)
	return adminapi.SingleEndpoint{
		ID:           e.id,
		Label:        e.label,
		Status:       &e.status,
		Chain:        e.chain.slug,
		Network:      e.network.slug,
		IsMultichain: e.multichain,
		HTTPURL:      http,
		WSSURL:       wss,
		Security:     e.security.record(),
		RateLimits:   e.limits.record(),
		Tags:         e.tagRecords(),
	}
}

func (e *endpoint) tagRecords() []adminapi.EndpointTag {
	records := make([]adminapi.EndpointTag, 0, len(e.tags))
	for _, tag := range e.tags {
		records = append(records, adminapi.EndpointTag{TagID: new(tag.id), Label: new(tag.label)})
	}
	return records
}
