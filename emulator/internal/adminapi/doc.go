// Package adminapi is the server side of the admin area, generated from openapi/admin.yaml: one method an operation,
// one answer type a documented status. Its records are its own, in plain Go types.
package adminapi
