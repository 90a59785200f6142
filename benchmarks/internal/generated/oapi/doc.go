// Package oapi is oapi-codegen's client of the admin area. Everything else in it is generated, and not committed.
package oapi

// What the generated file imports, so that go.mod is the same with and without it.
import (
	_ "github.com/oapi-codegen/runtime"
	_ "github.com/oapi-codegen/runtime/types"
)
