package api

import (
	"cmp"
	"fmt"

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

// destinationRules checks the attributes of a known kind. Those of another kind are for the service to judge.
func destinationRules(target *streams.Target) *Violation {
	violation := cmp.Or(Required("destination", target.Kind == ""),
		Required("destination_attributes", target.Attributes.IsZero()))
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
	return inField("destination_attributes", violation)
}
