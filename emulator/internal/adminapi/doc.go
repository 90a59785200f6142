// Package adminapi is the server side of the admin area, generated from openapi/admin.yaml: the records, and for each
// operation what its handler is given and what it may return. Its records are its own, in plain Go types.
package adminapi
