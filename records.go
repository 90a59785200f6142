package rpcfleet

import (
	"cmp"
	"reflect"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/alerts"
)

// Some parts of a record come under one of two names. These functions put them where callers look for them.

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

// deepCopy copies parameters, with all that their pointers and lists lead to, so that a call or an iteration does not
// depend on what the caller does with them meanwhile.
func deepCopy[T any](params T) T {
	copyValue(reflect.ValueOf(&params).Elem())
	return params
}

// selected copies a filter. One that selects nothing, which is the zero one, is nil and is not sent.
func selected[T any](filter T) *T {
	if reflect.ValueOf(filter).IsZero() {
		return nil
	}
	return new(deepCopy(filter))
}

// unlessZero points to a value, or is nil where the value is the zero one, as for what is to be left out.
func unlessZero[T comparable](value T) *T {
	if value == *new(T) {
		return nil
	}
	return &value
}

// copyValue gives a value pointers and lists of its own. Values with unexported fields, such as times, have none that a
// caller could reach.
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

// valueOr returns what a pointer points to, or another value if it is nil.
func valueOr(value *int, otherwise int) int {
	if value == nil {
		return otherwise
	}
	return *value
}
