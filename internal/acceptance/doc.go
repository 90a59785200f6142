// Package acceptance tests the client against the emulator. A validator that both sides do not know checks each request
// and each response against the OpenAPI files. Acceptance is a separate module, so that the validator is not a
// dependency of the library.
//
// At the end of a full run it reports how much of the contract the tests have covered. It fails if an operation, a
// parameter, an enum value or a documented status was left out.
package acceptance
