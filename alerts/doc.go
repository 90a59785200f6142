// Package alerts holds what belongs to the alerts area: the records, parameters, request builders and table of
// operations that are generated from openapi/alerts.yaml.
//
// Only five operations of this area are stated by the service's contract. The others are observed: they were read off
// public material about the service, and their comments say so.
package alerts
