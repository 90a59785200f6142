// Package oapi is oapi-codegen's client of the admin area. The rest of it is generated and not committed.
package oapi

// Imports of the generated code, so that go.mod is the same with and without it.
import (
	_ "github.com/oapi-codegen/runtime"
	_ "github.com/oapi-codegen/runtime/types"
)
