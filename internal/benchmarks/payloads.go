package main

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// The names of the payloads, on the command line and in the names of benchmarks.
const (
	getEndpoint    = "endpoint"
	createEndpoint = "create"
	listEndpoints  = "endpoints"
	listLogs       = "logs"
	getUsage       = "usage"
	listNFTs       = "nfts"
)

// The arguments of the calls.
const (
	endpointID        = "100001"
	chain             = "eth"
	network           = "mainnet"
	pageSize          = 250
	logSize           = 1000
	usageSize         = 500
	nftSize           = 100
	collectionAddress = "0x5af0d9827e0c53e4799bb226655a1de152a425a5"
)

// The time range of logs and usage.
var (
	from = time.Date(2024, 3, 1, 0, 0, 0, 0, time.UTC)
	to   = time.Date(2024, 3, 2, 0, 0, 0, 0, time.UTC)
)

// payload is one call and the body of its response.
type payload struct {
	name, title, method, path string
	query                     url.Values // Parameters that a request must carry.
	fill                      func(random) string
}

// payloads lists the payloads in the order of the table.
var payloads = []payload{
	{getEndpoint, "small record", http.MethodGet, "/v0/endpoints/" + endpointID, nil, singleBody},
	{createEndpoint, "create with a body", http.MethodPost, "/v0/endpoints", nil, singleBody},
	{listEndpoints, "page of 250 endpoints", http.MethodGet, "/v0/endpoints",
		url.Values{"limit": {"250"}}, endpointsBody},
	{listLogs, "page of 1,000 log entries", http.MethodGet, "/v0/endpoints/" + endpointID + "/logs",
		url.Values{"limit": {"1000"}, "include_details": {"true"}}, logsBody},
	{getUsage, "500 usage rows", http.MethodGet, "/v0/usage/rpc/by-method",
		url.Values{"start_time": {"1709251200"}, "end_time": {"1709337600"}}, usageBody},
	{listNFTs, "graph page of 100 NFTs", http.MethodPost, "/graphql", nil, nftsBody},
}

// body returns the body of the response, the same in every run.
func (p payload) body() string { return p.fill(random{rand.New(rand.NewPCG(1, 2))}) }

// random makes up parts of bodies.
type random struct{ *rand.Rand }

// hex returns n hexadecimal digits.
func (r random) hex(n int) string {
	digits := make([]byte, n)
	for i := range digits {
		digits[i] = "0123456789abcdef"[r.IntN(16)]
	}
	return string(digits)
}

// of returns one of the texts.
func (r random) of(texts ...string) string { return texts[r.IntN(len(texts))] }

// host returns the name of an endpoint, like the service's.
func (r random) host() string {
	return r.of("quiet", "long", "sparkling", "dark", "morning") + "-" +
		r.of("river", "mountain", "meadow", "cloud", "sea") + "-" + r.hex(4)
}

// rpcMethod returns the name of an RPC method.
func (r random) rpcMethod() string {
	return r.of("eth_call", "eth_getLogs", "eth_blockNumber", "eth_getTransactionReceipt", "eth_getBlockByNumber")
}

// rows returns a list of n records.
func rows(n int, row func(i int) string) string {
	all := make([]string, n)
	for i := range all {
		all[i] = row(i)
	}
	return "[" + strings.Join(all, ",") + "]"
}

func (r random) tags(n int) string {
	return rows(n, func(int) string {
		return fmt.Sprintf(`{"tag_id":%d,"label":"%s"}`, 1+r.IntN(500), r.of("production", "staging", "team-search"))
	})
}

func singleBody(r random) string {
	host := r.host()
	return fmt.Sprintf(`{"data":{"id":"`+endpointID+`","label":"Checkout","status":"active","chain":"eth",`+
		`"network":"mainnet","is_multichain":true,"http_url":"https://%[1]s.mainnet.example.com/%[2]s/",`+
		`"wss_url":"wss://%[1]s.mainnet.example.com/%[2]s/","security":{"options":{"tokens":true,"referrers":true,`+
		`"jwts":true,"ips":true,"domainMasks":true,"hsts":false,"cors":false,"requestFilters":true,`+
		`"responseLogging":false,"ipCustomHeader":{"value":"x-client-ip"}},"tokens":[{"id":"501","token":"%[3]s"},`+
		`{"id":"502","token":"%[4]s"}],"jwts":[{"id":"601","public_key":"-----BEGIN PUBLIC KEY-----\n%[5]s",`+
		`"kid":"key-1","name":"Backend"}],"referrers":[{"id":"701","referrer":"app.example.com"}],`+
		`"domain_masks":[{"id":"801","domain":"rpc.example.com"}],"ips":[{"id":"901","ip":"192.0.2.10"},`+
		`{"id":"902","ip":"192.0.2.11"}],"request_filters":[{"id":"951","method":["eth_blockNumber","eth_call"]}]},`+
		`"rate_limits":{"rate_limit_by_ip":false,"account":-1,"rps":50,"rpm":-1,"rpd":100000},"tags":%[6]s,`+
		`"hosts":["%[1]s.mainnet.example.com","%[1]s.example.com"]},"error":null}`,
		host, r.hex(40), r.hex(40), r.hex(40), r.hex(64), r.tags(2))
}

func endpointsBody(r random) string {
	return fmt.Sprintf(`{"data":%s,"pagination":{"total":10000,"limit":250,"offset":0},"error":null}`,
		rows(pageSize, func(i int) string {
			host, network := r.host(), r.of("mainnet", "sepolia", "holesky")
			address := host + "." + network + ".example.com/" + r.hex(40) + "/"
			wss := r.of("null", `"wss://`+address+`"`, `"wss://`+address+`"`, `"wss://`+address+`"`)
			return fmt.Sprintf(`{"id":"%d","name":"%s","label":%s,"status":"%s","chain":"%s","network":"%s",`+
				`"is_dedicated":%t,"is_flat_rate":%t,"is_multichain":%t,"http_url":"https://%s","wss_url":%s,"tags":%s}`,
				100001+i, host, r.of("null", `"Checkout"`, `"Wallet backend"`, `"Geschäft München"`),
				r.of("active", "active", "active", "paused"), r.of("eth", "base", "matic"), network,
				r.IntN(5) == 0, r.IntN(5) == 0, r.IntN(2) == 0, address, wss, r.tags(r.IntN(4)))
		}))
}

func logsBody(r random) string {
	address := r.host() + ".mainnet.example.com/" + r.hex(40) + "/"
	return fmt.Sprintf(`{"data":%s,"next_at":"%s","error":null}`, rows(logSize, func(i int) string {
		at := from.Add(time.Duration(i)*time.Second + time.Duration(r.IntN(1000))*time.Millisecond)
		method, code := r.rpcMethod(), "null"
		request := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"%s","params":[{"to":"0x%s","data":"0x%s"},"latest"]}`,
			i, method, r.hex(40), r.hex(136))
		response := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":"0x%s"}`, i, r.hex(800))
		if r.IntN(10) == 0 {
			code = "-32000"
			response = fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32000,"message":"header not found\n"}}`, i)
		}
		return fmt.Sprintf(`{"timestamp":"%s","method":"%s","network":"mainnet","http_method":"POST","status":200,`+
			`"error_code":%s,"url":"https://%s","request_id":"%s-%s-4a5b-8c7d-%s","details":{"request":%q,"response":%q},`+
			`"client_ip":"192.0.2.%d","region":"%s","response_time_ms":%.2f}`,
			at.Format(time.RFC3339Nano), method, code, address, r.hex(8), r.hex(4), r.hex(12), request, response,
			r.IntN(256), r.of("fra1", "iad2", "sin1"), float64(r.IntN(100_000))/100)
	}), r.hex(48))
}

func usageBody(r random) string {
	return fmt.Sprintf(`{"data":{"methods":%s,"start_time":%d,"end_time":%d},"error":null}`,
		rows(usageSize, func(int) string {
			return fmt.Sprintf(`{"method_name":"%s","credits_used":%d,"archive":%s,"network":"%s","chain":"%s"}`,
				r.rpcMethod(), 1+r.Int64N(900_000_000), r.of("null", "true", "false"),
				r.of("mainnet", "sepolia", "holesky"), r.of("eth", "base", "matic"))
		}), from.Unix(), to.Unix())
}

func nftsBody(r random) string {
	upload := func(kind, size string) string {
		return fmt.Sprintf(`{"url":"https://media.example.com/%s","mimeType":"image/%s","height":%[3]s,"width":%[3]s}`,
			r.hex(64), kind, size)
	}
	return fmt.Sprintf(`{"data":{"chain":{"collection":{"__typename":"ERC721Collection","nfts":{"edges":%s,`+
		`"pageInfo":{"endCursor":"%s","hasNextPage":true},"totalCount":10000}}}}}`, rows(nftSize, func(i int) string {
		return fmt.Sprintf(`{"cursor":"%s","node":{"__typename":"ERC721NFT","contractAddress":"`+collectionAddress+`",`+
			`"tokenId":"%d","name":"Quiet River #%[2]d","collectionSlug":%[3]s,"uploads":[%[4]s,%[5]s]}}`,
			r.hex(32), 7000+i, r.of("null", `"quiet-river"`, `"quiet-river"`, `"quiet-river"`),
			upload("png", "1024"), upload("webp", "256"))
	}), r.hex(32))
}
