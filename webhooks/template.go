package webhooks

import (
	"encoding/json"

	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// Template is a filter of the service's with its arguments: one of [EVMWalletFilter], [EVMContractEvents],
// [EVMABIFilter], [SolanaWalletFilter], [BitcoinWalletFilter], [XRPLWalletFilter], [HyperliquidWalletEventsFilter],
// [StellarSourceAccountFilter] and [OtherTemplate]. The addresses are given in place or, if they change, better as the
// name of a Key-Value list.
type Template interface{ template() string }

func (EVMWalletFilter) template() string               { return "evmWalletFilter" }
func (EVMContractEvents) template() string             { return "evmContractEvents" }
func (EVMABIFilter) template() string                  { return "evmAbiFilter" }
func (SolanaWalletFilter) template() string            { return "solanaWalletFilter" }
func (BitcoinWalletFilter) template() string           { return "bitcoinWalletFilter" }
func (XRPLWalletFilter) template() string              { return "xrplWalletFilter" }
func (HyperliquidWalletEventsFilter) template() string { return "hyperliquidWalletEventsFilter" }
func (StellarSourceAccountFilter) template() string {
	return "stellarWalletTransactionsSourceAccountFilter"
}
func (o OtherTemplate) template() string { return o.ID }

// OtherTemplate is a template that this package does not know, or with arguments that it cannot read.
type OtherTemplate struct {
	ID   string
	Args Attributes // Their names are in camel case. Decode a JSON object into them.
}

// Arguments returns the id of a template and its arguments, as requests have them.
func Arguments(template Template) (id string, args Attributes) {
	if other, is := template.(OtherTemplate); is {
		return other.ID, other.Args
	}
	text, _ := json.Marshal(template) // All of these types can be written.
	_ = args.UnmarshalJSON(text)
	return template.template(), args
}

// Template returns the template of the webhook with its arguments, or nil if the filter is the caller's. If the template
// is another one, or an argument has another type, it is an [OtherTemplate]. In a list, webhooks have no arguments.
func (w Webhook) Template() Template {
	switch id, args := w.TemplateID, w.TemplateArgs; id {
	case "":
		return nil
	case EVMWalletFilter{}.template():
		return read[EVMWalletFilter](id, args)
	case EVMContractEvents{}.template():
		return read[EVMContractEvents](id, args)
	case EVMABIFilter{}.template():
		return read[EVMABIFilter](id, args)
	case SolanaWalletFilter{}.template():
		return read[SolanaWalletFilter](id, args)
	case BitcoinWalletFilter{}.template():
		return read[BitcoinWalletFilter](id, args)
	case XRPLWalletFilter{}.template():
		return read[XRPLWalletFilter](id, args)
	case HyperliquidWalletEventsFilter{}.template():
		return read[HyperliquidWalletEventsFilter](id, args)
	case StellarSourceAccountFilter{}.template():
		return read[StellarSourceAccountFilter](id, args)
	default:
		return OtherTemplate{id, args}
	}
}

func read[T Template](id string, args scalar.Extra) Template {
	var known T
	if json.Unmarshal(args.Reveal(), &known) != nil {
		return OtherTemplate{id, args}
	}
	return known
}
