package main

// The generators are pinned in tools/, a module of its own. Their versions are those of what the generated code
// imports: see TestGenerators_versionsMatchLibraries.
//
//go:generate env GOWORK=off go -C ../tools tool ogen -loglevel error -clean -config ../benchmarks/internal/generated/ogenapi/config.yaml -package ogenapi -target ../benchmarks/internal/generated/ogenapi ../../openapi/admin.yaml
//go:generate env GOWORK=off go -C ../tools tool genqlient ../benchmarks/internal/generated/graphql/genqlient.yaml
