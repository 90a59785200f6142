package rpcfleet

import "github.com/rpcfleet/rpcfleet-go/admin"

// UsageByID joins a report of [UsageService.ByEndpoint] to endpoints of a listing: it returns the items of the report by
// the ids of the endpoints, and those that belong to none. The items have no id. What an item and an endpoint share is
// the Name, which is the subdomain of the endpoint's addresses (observed); labels can change and need not differ. An
// endpoint has several items where the service splits its usage up.
//
// Nothing is guessed: an item whose name no endpoint has, as after an endpoint was archived, is among the others, and so
// is one without a name, or whose name several endpoints have.
func UsageByID(report *admin.UsageByEndpoint, endpoints []admin.Endpoint) (byID map[string][]admin.EndpointUsage, others []admin.EndpointUsage) {
	ids := make(map[string]string, len(endpoints))
	for _, endpoint := range endpoints {
		if id, taken := ids[endpoint.Name]; taken && id != endpoint.ID {
			ids[endpoint.Name] = "" // Of two endpoints.
			continue
		}
		ids[endpoint.Name] = endpoint.ID
	}
	byID = map[string][]admin.EndpointUsage{}
	for _, item := range report.Endpoints {
		if id := ids[orZero(item.Name)]; id != "" && orZero(item.Name) != "" {
			byID[id] = append(byID[id], item)
		} else {
			others = append(others, item)
		}
	}
	return byID, others
}
