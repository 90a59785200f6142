package rpcfleet

import (
	"cmp"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/alerts"
)

// Some parts of a record come under one of two names. The functions of this file put them where callers look for them.

// nameParts does that for a record of any type, which into points to.
func nameParts(into any) {
	switch into := into.(type) {
	case *admin.SingleEndpoint:
		nameDomains(into.Security.DomainMasks)
	case **admin.SingleEndpoint:
		nameDomains((*into).Security.DomainMasks)
	case *admin.EndpointSecurity:
		nameDomains(into.DomainMasks)
	case **admin.EndpointSecurity:
		nameDomains((*into).DomainMasks)
	case *admin.EndpointDomainMask:
		nameDomain(into)
	case **admin.EndpointDomainMask:
		nameDomain(*into)
	case *alerts.Notification:
		nameDestinations(into)
	case **alerts.Notification:
		nameDestinations(*into)
	case *[]alerts.Notification:
		for i := range *into {
			nameDestinations(&(*into)[i])
		}
	}
}

// nameDomains is nameDomain for each of a list.
func nameDomains(masks []admin.EndpointDomainMask) {
	for i := range masks {
		nameDomain(&masks[i])
	}
}

// nameDomain puts the domain where callers look for it, whichever name it came under.
func nameDomain(mask *admin.EndpointDomainMask) { mask.Domain = cmp.Or(mask.Domain, mask.DomainMask) }

// nameDestinations fills in the ids of the destinations where the service sent the destinations themselves.
func nameDestinations(notification *alerts.Notification) {
	if len(notification.DestinationIDs) > 0 {
		return
	}
	for _, destination := range notification.Destinations {
		notification.DestinationIDs = append(notification.DestinationIDs, destination.ID)
	}
}
