// Package acceptance tests the library through its facade against the emulator, with every request and every response
// checked against the OpenAPI files by a validator that neither side knows of. It is a module of its own, so that the
// validator is no dependency of the library.
//
// At the end of a full run it reports how much of the contract the tests have touched, and fails where an operation, a
// parameter, an enum value or a documented status was left out.
package acceptance
