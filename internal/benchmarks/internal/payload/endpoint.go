package payload

import (
	"strconv"

	"github.com/rpcfleet/rpcfleet-go/internal/benchmarks/internal/record"
)

func single(r random) record.Envelope[hosted] {
	subdomain := r.subdomain()
	hosts := []string{subdomain + "." + Network + ".example.com", subdomain + ".example.com"}
	return envelope(hosted{Hosts: hosts, SingleEndpoint: record.SingleEndpoint{
		ID:           EndpointID,
		Label:        new("Checkout"),
		Status:       "active",
		Chain:        Chain,
		Network:      Network,
		IsMultichain: true,
		HTTPURL:      r.address("https", subdomain, Network),
		WSSURL:       new(r.address("wss", subdomain, Network)),
		Security: record.Security{
			Options: &record.SecurityOptions{
				Tokens: true, Referrers: true, JWTs: true, IPs: true, DomainMasks: true, RequestFilters: true,
				IPCustomHeader: &record.IPCustomHeader{Value: new("x-client-ip")},
			},
			Tokens: []record.Token{{ID: "501", Token: r.hex(40)}, {ID: "502", Token: r.hex(40)}},
			JWTs: []record.JWT{
				{ID: "601", PublicKey: "-----BEGIN PUBLIC KEY-----\n" + r.hex(64), KID: "key-1", Name: "Backend"}},
			Referrers:      []record.Referrer{{ID: "701", Referrer: "app.example.com"}},
			DomainMasks:    []record.DomainMask{{ID: "801", Domain: "rpc.example.com"}},
			IPs:            []record.IP{{ID: "901", IP: "192.0.2.10"}, {ID: "902", IP: "192.0.2.11"}},
			RequestFilters: []record.RequestFilter{{ID: "951", Method: []string{"eth_blockNumber", "eth_call"}}},
		},
		RateLimits: &record.RateLimits{ByIP: new(false), Account: new(-1), RPS: new(50), RPM: new(-1), RPD: new(100000)},
		Tags:       []record.Tag{tag(r), tag(r)},
	}})
}

func endpoints(r random) record.Envelope[[]record.Endpoint] {
	all := make([]record.Endpoint, PageSize)
	for i := range all {
		all[i] = endpoint(r, i)
	}
	page := envelope(all)
	page.Pagination = &record.Pagination{Total: 10000, Limit: PageSize}
	return page
}

func endpoint(r random, i int) record.Endpoint {
	subdomain, network := r.subdomain(), r.of("mainnet", "sepolia", "holesky")
	return record.Endpoint{
		ID:           strconv.Itoa(100001 + i),
		Name:         subdomain,
		Label:        sometimes(r, 3, r.of("Checkout", "Indexer", "Wallet backend", "Geschäft München")),
		Status:       r.of("active", "active", "active", "paused"),
		Chain:        r.of("eth", "base", "matic"),
		Network:      network,
		IsDedicated:  r.IntN(5) == 0,
		IsFlatRate:   r.IntN(5) == 0,
		IsMultichain: r.IntN(2) == 0,
		HTTPURL:      r.address("https", subdomain, network),
		WSSURL:       sometimes(r, 4, r.address("wss", subdomain, network)),
		Tags:         some(r, 3, tag),
	}
}

func tag(r random) record.Tag {
	return record.Tag{ID: 1 + r.Int64N(500), Label: r.of("production", "staging", "team-payments", "team-search")}
}
