package rpcfleet

import (
	"cmp"
	"reflect"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/alerts"
)

// Some fields of a record have two names on the wire. These functions copy the alternate field to the canonical one.

// normalizeNames does so for a record of any type. into points to the record.
func normalizeNames(into any) {
	switch into := into.(type) {
	case *admin.SingleEndpoint:
		normalizeDomains(into.Security.DomainMasks)
	case **admin.SingleEndpoint:
		normalizeDomains((*into).Security.DomainMasks)
	case *admin.EndpointSecurity:
		normalizeDomains(into.DomainMasks)
	case **admin.EndpointSecurity:
		normalizeDomains((*into).DomainMasks)
	case *admin.EndpointDomainMask:
		normalizeDomain(into)
	case **admin.EndpointDomainMask:
		normalizeDomain(*into)
	case *alerts.Notification:
		normalizeDestinations(into)
	case **alerts.Notification:
		normalizeDestinations(*into)
	case *[]alerts.Notification:
		for i := range *into {
			normalizeDestinations(&(*into)[i])
		}
	}
}

// normalizeDomains calls nameDomain for each mask.
func normalizeDomains(masks []admin.EndpointDomainMask) {
	for i := range masks {
		normalizeDomain(&masks[i])
	}
}

// normalizeDomain sets Domain, whichever name the domain came under.
func normalizeDomain(mask *admin.EndpointDomainMask) {
	mask.Domain = cmp.Or(mask.Domain, mask.DomainMask)
}

// normalizeDestinations sets the ids of the destinations if the service sent the destinations themselves.
func normalizeDestinations(notification *alerts.Notification) {
	if len(notification.DestinationIDs) > 0 {
		return
	}
	for _, destination := range notification.Destinations {
		notification.DestinationIDs = append(notification.DestinationIDs, destination.ID)
	}
}

// deepCopy copies parameters deeply, so that later changes by the caller do not affect a call or an iteration.
func deepCopy[T any](params T) T {
	copyValue(reflect.ValueOf(&params).Elem())
	return params
}

// filterOrNil copies a filter. It returns nil for the zero filter, which is not sent.
func filterOrNil[T any](filter T) *T {
	if reflect.ValueOf(filter).IsZero() {
		return nil
	}
	return new(deepCopy(filter))
}

// ptrOrNil returns a pointer to a value, or nil for the zero value.
func ptrOrNil[T comparable](value T) *T {
	if value == *new(T) {
		return nil
	}
	return &value
}

// copyValue replaces the pointers and lists of a value by copies. Unexported fields, as in times, are skipped: a caller
// cannot reach them.
func copyValue(value reflect.Value) {
	switch value.Kind() {
	case reflect.Interface:
		if !value.IsNil() {
			own := reflect.New(value.Elem().Type()).Elem()
			own.Set(value.Elem())
			copyValue(own)
			value.Set(own)
		}
	case reflect.Pointer:
		if !value.IsNil() {
			own := reflect.New(value.Type().Elem())
			own.Elem().Set(value.Elem())
			copyValue(own.Elem())
			value.Set(own)
		}
	case reflect.Slice:
		if !value.IsNil() {
			own := reflect.MakeSlice(value.Type(), value.Len(), value.Len())
			reflect.Copy(own, value)
			for i := range own.Len() {
				copyValue(own.Index(i))
			}
			value.Set(own)
		}
	case reflect.Struct:
		for i := range value.NumField() {
			if field := value.Field(i); field.CanSet() {
				copyValue(field)
			}
		}
	}
}
