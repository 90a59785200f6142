// Package alertsapi is the server side of the alerts area, generated from openapi/alerts.yaml: the records, and for
// each operation what its handler is given and what it may return. Its records are its own, in plain Go types.
package alertsapi
