package main

import (
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"

	"github.com/rpcfleet/rpcfleet-go/admin"
)

func TestFindings(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := seeded(t)
		r.Endpoints = append(r.Endpoints, &endpoint{ID: "new", Tags: []string{"x"}, Protection: protectionOf(admin.EndpointSecurity{})})
		var found []string
		for _, f := range findings(r, 5) {
			mark := ""
			if f.Urgent {
				mark = "! "
			}
			found = append(found, mark+f.Finding+" "+f.Count()+": "+f.Which())
			assert.NotEmpty(t, f.Meaning)
		}
		assert.Equal(t, []string{
			"! without any protection 1: experiment",
			"! protection not known 1: new",
			"! more than 5% of calls failed 1: wallet",
			"switched on with an empty list 1: bridge",
			"a list without effect 1: wallet",
			"the token is the only protection 13: indexer of everything that ever happened, wallet, left over, 1020, test-1 and 8 more",
			"without a tag 2: experiment, 1020",
			"active without a request in the week 1: left over",
		}, found)
		assert.Empty(t, findings(&report{}, 5))
	})
}

func TestProtection(t *testing.T) {
	yes, no := new(true), new(false)
	off := admin.EndpointSecurityOptions{Tokens: no, JWTs: no, IPs: no, Referrers: no}
	with := func(change func(*admin.EndpointSecurityOptions)) *admin.EndpointSecurityOptions {
		changed := off
		change(&changed)
		return &changed
	}
	for name, test := range map[string]struct {
		options       *admin.EndpointSecurityOptions
		open, unknown bool
		on            string
	}{
		"nothing told":      {nil, false, true, "not known"},
		"all guards off":    {&off, true, false, "NO GUARD"},
		"masks guard not":   {with(func(o *admin.EndpointSecurityOptions) { o.DomainMasks = yes }), true, false, "NO GUARD, domainMasks"},
		"filters guard not": {with(func(o *admin.EndpointSecurityOptions) { o.RequestFilters = yes }), true, false, "NO GUARD, requestFilters"},
		"one is not told":   {with(func(o *admin.EndpointSecurityOptions) { o.IPs = nil }), false, true, "not known"},
		"IPs":               {with(func(o *admin.EndpointSecurityOptions) { o.IPs = yes }), false, false, "ips"},
		"referrers":         {with(func(o *admin.EndpointSecurityOptions) { o.Referrers, o.Tokens = yes, nil }), false, false, "referrers"},
		"logging is none":   {with(func(o *admin.EndpointSecurityOptions) { o.ResponseLogging, o.JWTs = yes, yes }), false, false, "jwts"},
	} {
		e := &endpoint{Protection: protectionOf(admin.EndpointSecurity{Options: test.options})}
		assert.Equal(t, test.open, e.Open(), name)
		assert.Equal(t, test.unknown, e.Protection.unknown(), name)
		assert.Equal(t, test.on, e.On(), name)
	}
	header := admin.EndpointSecurity{Options: &admin.EndpointSecurityOptions{IPCustomHeader: &admin.IPCustomHeader{Value: new("X-Real-IP")}}}
	assert.Equal(t, "X-Real-IP", protectionOf(header).IPHeader)
}

func TestLists(t *testing.T) {
	tokens := []admin.EndpointToken{{}}
	ips := []admin.EndpointIP{{}}
	for name, test := range map[string]struct {
		record      admin.EndpointSecurity
		empty, idle bool
	}{
		"nothing told":            {admin.EndpointSecurity{IPs: ips}, false, false},
		"IPs in force":            {admin.EndpointSecurity{IPs: ips, Options: &admin.EndpointSecurityOptions{IPs: new(true)}}, false, false},
		"IPs off":                 {admin.EndpointSecurity{IPs: ips, Options: &admin.EndpointSecurityOptions{IPs: new(false)}}, false, true},
		"no IPs in force":         {admin.EndpointSecurity{Options: &admin.EndpointSecurityOptions{IPs: new(true)}}, true, false},
		"no IPs off":              {admin.EndpointSecurity{Options: &admin.EndpointSecurityOptions{IPs: new(false)}}, false, false},
		"tokens are there":        {admin.EndpointSecurity{Tokens: tokens, Options: &admin.EndpointSecurityOptions{Tokens: new(false)}}, false, false},
		"CORS has no list at all": {admin.EndpointSecurity{Options: &admin.EndpointSecurityOptions{CORS: new(true)}}, false, false},
	} {
		p := protectionOf(test.record)
		assert.Equal(t, test.empty, p.empty(), name)
		assert.Equal(t, test.idle, p.idle(), name)
	}
}

func TestWords(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", -999: "-999", -1000: "-1,000", 1234567: "1,234,567"} {
		assert.Equal(t, want, number(n))
	}
	for measured, want := range map[traffic]string{{}: "", {0, 5}: "", {200, 1}: "0.50%", {1e6, 1}: "<0.01%", {5, 0}: "0.00%", {5, 9}: "100.00%"} {
		assert.Equal(t, want, measured.percent())
	}
	assert.Equal(t, "äöü", short("äöü", 3))
	assert.Equal(t, "äö…", short("äöüß", 3))
	assert.Empty(t, (&limit{}).String())
	assert.Empty(t, (*limit)(nil).String())
}
