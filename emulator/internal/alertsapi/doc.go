// Package alertsapi is the server side of the alerts area, generated from openapi/alerts.yaml: one method an
// operation, one answer type a documented status. Its records are its own, in plain Go types.
package alertsapi
