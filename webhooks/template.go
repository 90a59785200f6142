package webhooks

import "encoding/json"

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

// templates read the arguments of the templates that this package knows.
var templates = map[string]func(id string, args Attributes) Template{
	EVMWalletFilter{}.template():               read[EVMWalletFilter],
	EVMContractEvents{}.template():             read[EVMContractEvents],
	EVMABIFilter{}.template():                  read[EVMABIFilter],
	SolanaWalletFilter{}.template():            read[SolanaWalletFilter],
	BitcoinWalletFilter{}.template():           read[BitcoinWalletFilter],
	XRPLWalletFilter{}.template():              read[XRPLWalletFilter],
	HyperliquidWalletEventsFilter{}.template(): read[HyperliquidWalletEventsFilter],
	StellarSourceAccountFilter{}.template():    read[StellarSourceAccountFilter],
}

// Template returns the template of the webhook with its arguments, or nil if the filter is the caller's. If the
// template is another one, or an argument has another type, it is an [OtherTemplate]. In a list, webhooks have no
// arguments.
func (w Webhook) Template() Template {
	if w.TemplateID == "" {
		return nil
	}
	if known := templates[w.TemplateID]; known != nil {
		return known(w.TemplateID, w.TemplateArgs)
	}
	return OtherTemplate{w.TemplateID, w.TemplateArgs}
}

func read[T Template](id string, args Attributes) Template {
	var known T
	if json.Unmarshal(args.Reveal(), &known) != nil {
		return OtherTemplate{id, args}
	}
	return known
}
