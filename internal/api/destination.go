package api

import (
	"fmt"

	"github.com/rpcfleet/rpcfleet-go/scalar"
	"github.com/rpcfleet/rpcfleet-go/streams"
)

// DestinationsRules checks the destination of a stream, which an update may leave out, and the further ones.
func DestinationsRules(target streams.Target, extra []streams.Target) *Violation {
	if violation := destinationRules(&target); target.Kind != "" && violation != nil {
		return violation
	}
	for i := range extra {
		if violation := destinationRules(&extra[i]); violation != nil {
			return inField(fmt.Sprintf("extra_destinations[%d]", i), violation)
		}
	}
	return nil
}

// AttributesRules checks that an object with any fields is given, and does not come from JSON without its values.
func AttributesRules(field string, attributes scalar.Extra) *Violation {
	for name, value := range attributes.All() {
		if string(value) == `"[redacted]"` {
			return &Violation{Field: field + "." + name, Rule: "was redacted; encode with scalar.WithSecrets", Always: true}
		}
	}
	if attributes.IsZero() {
		return missing(field)
	}
	return nil
}

// destinationRules checks the attributes of a known kind. Those of another kind are for the service to judge.
func destinationRules(target *streams.Target) *Violation {
	if target.Kind == "" {
		return missing("destination")
	}
	violation := AttributesRules("destination_attributes", target.Attributes)
	if violation != nil {
		return violation
	}
	switch destination := target.Destination().(type) {
	case streams.Webhook:
		violation = streamsWebhookRules(&destination)
	case streams.S3:
		violation = streamsS3Rules(&destination)
	case streams.Azure:
		violation = streamsAzureRules(&destination)
	case streams.Postgres:
		violation = streamsPostgresRules(&destination)
	case streams.Kafka:
		violation = streamsKafkaRules(&destination)
	}
	if violation == nil {
		return nil
	}
	return inField("destination_attributes", violation)
}
