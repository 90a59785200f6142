// Package emulator is the whole service in memory: an http.Handler with state, for tests of programs that use the
// library, and for examples that run without an account.
//
//	server := emulator.Start()
//	defer server.Close()
//	client, err := rpcfleet.New(rpcfleet.WithBaseURL(server.URL), rpcfleet.WithAPIKey(server.APIKey))
//
// It is written from the service's contract, not from the client: its server interface and records are generated from
// the same OpenAPI files, and the graph area executes queries over the whole schema. Later responses show the changes
// of earlier operations. It is safe for concurrent use, and deterministic: ids, tokens and made-up data come from a
// seed, times from a clock, and both can be set ([WithSeed], [WithClock]).
//
// It can fail on purpose ([WithFaults], [Emulator.Inject]), records its calls ([Emulator.Calls]), and needs no port
// ([Emulator.Client]). [WithAdminAPI] offers the same over HTTP. [Emulator.Populate] adds a whole account at once.
//
// If the contract leaves something open, the emulator follows observations of the service, and otherwise assumes the
// simplest behaviour. A program should not depend on such behaviour. Comments mark it as assumed.
package emulator
