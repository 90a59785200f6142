#!/bin/sh
# Generates the code of each area from its OpenAPI file, with the configurations in this folder. The name of the area
# takes the place of AREA.
set -eu
cd "$(dirname "$0")/../internal/tools"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for area in admin alerts keyvalue streams webhooks; do
  for config in ../../openapi/*.config.yaml; do
    sed "s/AREA/$area/g" "$config" >"$folder/config.yaml"
    GOWORK=off go tool oapi-codegen -config "$folder/config.yaml" "../../openapi/$area.yaml"
  done
done
