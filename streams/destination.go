package streams

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/rpcfleet/rpcfleet-go/internal/redact"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// Destination is one of [Webhook], [S3], [Azure], [Postgres], [Kafka] and [Other].
type Destination interface{ kind() string }

func (Webhook) kind() string  { return "webhook" }
func (S3) kind() string       { return "s3" }
func (Azure) kind() string    { return "azure" }
func (Postgres) kind() string { return "postgres" }
func (Kafka) kind() string    { return "kafka" }
func (o Other) kind() string  { return o.Name }

// Other is a destination of a kind that this package does not know, or with attributes that it cannot read. To writes
// it back unchanged.
type Other struct {
	Name       string     // The kind of destination.
	Attributes Attributes // They may contain credentials, and are not printed. Decode a JSON object into them.
}

// Format prints the record, without the values of its attributes.
func (o Other) Format(state fmt.State, _ rune) { redact.Record(state, o) }

// To returns a destination as requests have it.
func To(destination Destination) Target {
	if other, is := destination.(Other); is {
		return Target{Kind: other.Name, Attributes: other.Attributes}
	}
	if webhook, is := destination.(Webhook); is && webhook.Headers == nil {
		webhook.Headers = map[string]scalar.Secret{} // They are required, and may be empty.
		destination = webhook
	}
	target := Target{Kind: destination.kind()}
	attributes, _ := scalar.WithSecrets[any]{Value: destination}.MarshalJSON() // All of these types can be written.
	_ = target.Attributes.UnmarshalJSON(attributes)
	return target
}

// Destination returns the destination with its attributes, or nil if there is none. If it is of another kind, or an
// attribute has another type, it is an [Other]. Target itself has the attributes that no type of this package has.
func (t Target) Destination() Destination {
	switch t.Kind {
	case "":
		return nil
	case Webhook{}.kind():
		return read[Webhook](t)
	case S3{}.kind():
		return read[S3](t)
	case Azure{}.kind():
		return read[Azure](t)
	case Postgres{}.kind():
		return read[Postgres](t)
	case Kafka{}.kind():
		return read[Kafka](t)
	}
	return Other{t.Kind, t.Attributes}
}

func read[D Destination](t Target) Destination {
	var known D
	if json.Unmarshal(t.Attributes.Reveal(), &known) != nil {
		return Other{t.Kind, t.Attributes}
	}
	return known
}

// Progress returns the number of blocks of the range that were delivered, and the number of all. They are not known,
// and ok is false, if the range has no first or no last block.
func (s Stream) Progress() (done, total int64, ok bool) {
	if s.StartRange == nil || s.EndRange == nil || *s.StartRange < 0 || *s.EndRange < *s.StartRange ||
		*s.EndRange-*s.StartRange == math.MaxInt64 {
		return 0, 0, false
	}
	total = *s.EndRange - *s.StartRange + 1
	if s.Sequence != nil && *s.Sequence >= *s.StartRange {
		done = min(*s.Sequence-*s.StartRange, total-1) + 1
	}
	return done, total, true
}
