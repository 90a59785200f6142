// Package alertsapi is the server side of the alerts area, generated from openapi/alerts.yaml: the records, and the
// types of each operation's requests and responses. The client has other records.
package alertsapi
