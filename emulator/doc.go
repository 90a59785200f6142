// Package emulator is the whole service in memory: an http.Handler with state, for tests of programs that use the
// library, and for examples that run without an account.
//
//	server := emulator.Start()
//	defer server.Close()
//	client, err := rpcfleet.New(rpcfleet.WithBaseURL(server.URL), rpcfleet.WithAPIKey(server.APIKey))
//
// It is written from the service's contract, not from the client: a server interface and records of its own are
// generated from the same OpenAPI files, and the graph area is a GraphQL executor over the whole schema. What an
// operation changes, later responses show. It is safe for concurrent use, and deterministic: ids, tokens and made-up
// data come from a seed, times from a clock, and both can be given ([WithSeed], [WithClock]).
//
// It fails on command ([WithFaults], [Emulator.Inject]), remembers what it was asked ([Emulator.Calls]), and needs no
// port ([Emulator.Client]). [WithControl] offers faults and calls over HTTP. [Emulator.Populate] adds a whole account at
// once; [Emulator.SaveSnapshot] keeps the state.
//
// Where the contract leaves something open, the emulator follows what was observed of the service, and otherwise
// takes the plainest choice; a program should not depend on such a choice, and the comments name them.
package emulator
