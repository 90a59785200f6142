package emulator

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/alertsapi"
	"github.com/rpcfleet/rpcfleet-go/emulator/internal/serve"
	"github.com/rpcfleet/rpcfleet-go/emulator/internal/streamsapi"
	"github.com/rpcfleet/rpcfleet-go/emulator/internal/webhooksapi"
)

// hook is a webhook, with the next block that it delivers.
type hook struct {
	webhooksapi.Webhook

	next int64
}

// rejectPlatform writes a failure of the webhooks or the streams area. The message of a request that is not acceptable
// is a list (observed).
func rejectPlatform(w http.ResponseWriter, failed *serve.Error) {
	var message any = failed.Reason
	if failed.Status == http.StatusBadRequest {
		message = []string{failed.Reason}
	}
	rejectPlainly(w, failed.Status, cmp.Or(failed.Body, message))
}

// rejectPlainly writes a failure of an area without an envelope (observed).
func rejectPlainly(w http.ResponseWriter, status int, message any) {
	writeJSON(w, status, webhooksapi.WebhooksError{
		StatusCode: &status, Message: message, Error: new(http.StatusText(status)),
	})
}

// knownNetwork refuses an unknown network with an object as the message (observed).
func knownNetwork(network string) error {
	if streamsapi.Network(network).Valid() {
		return nil
	}
	const reason = "network must be one of the following values: ethereum-mainnet, solana-mainnet and others"
	return &serve.Error{Status: http.StatusBadRequest, Reason: reason, Body: map[string]any{
		"message": []string{reason}, "error": "Bad Request"}}
}

// checkAddress refuses what is not the address of a webhook.
func checkAddress(field, text string) error {
	address, err := url.Parse(text)
	if err != nil || address.Host == "" || address.Scheme != "http" && address.Scheme != "https" {
		return serve.BadRequest(field + " must be an absolute http or https URL")
	}
	return nil
}

// newToken returns a security token that the service makes.
func (r *request) newToken() string { return "qnsec_" + r.state.ids.text(32) }

// checked returns a webhook as the service keeps it. A destination without a token gets a new one (observed).
func (r *request) checked(w webhooksapi.Webhook) (webhooksapi.Webhook, error) {
	if err := cmp.Or(knownNetwork(w.Network), checkAddress("url", w.Destination.URL)); err != nil {
		return w, err
	}
	w.UpdatedAt = r.state.now()
	w.Destination.SecurityToken = cmp.Or(w.Destination.SecurityToken, r.newToken())
	return w, r.manageLists(&w)
}

// add adds a webhook with the fields of a request. It begins with the block after the newest.
func (r *request) add(made webhooksapi.Webhook, body any) (*webhooksapi.Webhook, error) {
	made.ID, made.CreatedAt = r.state.ids.uuid(), r.state.now()
	made, err := r.checked(merged(made, body))
	if err != nil {
		return nil, err
	}
	r.state.webhooks = append(r.state.webhooks, &hook{made, r.state.heads[made.Network] + 1})
	return &made, nil
}

func (r *request) CreateWebhook(body *webhooksapi.CreateWebhookRequest) (*webhooksapi.Webhook, error) {
	if body.Status == webhooksapi.StatusTerminated {
		return nil, serve.BadRequest("status must be active or paused")
	}
	return r.add(webhooksapi.Webhook{}, body)
}

func (r *request) CreateWebhookFromTemplate(templateID string, body *webhooksapi.CreateFromTemplateRequest) (
	*webhooksapi.Webhook, error) {
	return r.add(webhooksapi.Webhook{TemplateID: templateID, Status: webhooksapi.StatusActive}, body)
}

// manageLists puts the lists of a template's arguments that are given in place into Key-Value lists, and their names
// into the arguments (observed). Other arguments are refused.
func (r *request) manageLists(w *webhooksapi.Webhook) error {
	if w.TemplateID == "" {
		return nil
	}
	template := map[string]any{
		"evmWalletFilter": &webhooksapi.EVMWalletFilter{}, "evmContractEvents": &webhooksapi.EVMContractEvents{},
		"evmAbiFilter": &webhooksapi.EVMABIFilter{}, "solanaWalletFilter": &webhooksapi.SolanaWalletFilter{},
		"bitcoinWalletFilter": &webhooksapi.BitcoinWalletFilter{}, "xrplWalletFilter": &webhooksapi.XRPLWalletFilter{},
		"hyperliquidWalletEventsFilter":                &webhooksapi.HyperliquidWalletEventsFilter{},
		"stellarWalletTransactionsSourceAccountFilter": &webhooksapi.StellarSourceAccountFilter{},
	}[w.TemplateID]
	if template == nil {
		return serve.BadRequest("there is no template " + w.TemplateID)
	}
	text, _ := json.Marshal(w.TemplateArgs) // They were JSON.
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(template); err != nil {
		return serve.BadRequest("templateArgs are not acceptable: " + err.Error())
	}
	args := webhooksapi.Attributes{}
	for name, value := range w.TemplateArgs {
		items, inPlace := value.([]any)
		if !inPlace {
			args[name] = value
			continue
		}
		key := "webhook-" + w.ID + "-" + name
		delete(r.state.lists, key)
		texts := each(items, func(item any) string { return fmt.Sprint(item) })
		if _, err := r.putList(key, texts, nil); err != nil {
			return err
		}
		args[name+"ListName"] = key // Such as walletsListName.
	}
	w.TemplateArgs = args
	return nil
}

// ListWebhooks is GET /webhooks. It leaves out filters and arguments (observed).
func (r *request) ListWebhooks(params webhooksapi.ListWebhooksParams) (*webhooksapi.WebhookPage, error) {
	page, limit, offset, err := offsetPage(&r.settings, r.state.webhooks, params.Limit, params.Offset)
	return &webhooksapi.WebhookPage{
		Data: each(page, func(one *hook) webhooksapi.Webhook {
			shown := one.Webhook
			shown.FilterFunction, shown.TemplateArgs = nil, nil
			return shown
		}),
		PageInfo: webhooksapi.PageInfo{Limit: limit, Offset: offset, Total: len(r.state.webhooks)},
	}, err
}

func (r *request) GetWebhook(string) (*webhooksapi.Webhook, error) { return &r.webhook.Webhook, nil }

func (r *request) UpdateWebhook(_ string, body *webhooksapi.UpdateWebhookRequest) (*webhooksapi.Webhook, error) {
	return r.change(r.webhook.TemplateID, body)
}

func (r *request) UpdateWebhookTemplate(_, templateID string, body *webhooksapi.UpdateTemplateRequest) (
	*webhooksapi.Webhook, error) {
	if r.webhook.TemplateID == "" {
		return nil, serve.BadRequest("the webhook has no template")
	}
	return r.change(templateID, body)
}

// change changes a webhook that is not active.
func (r *request) change(templateID string, body any) (*webhooksapi.Webhook, error) {
	if r.webhook.Status == webhooksapi.StatusActive {
		return nil, serve.BadRequest("an active webhook cannot be updated: pause it first")
	}
	changed := merged(r.webhook.Webhook, body)
	changed.TemplateID = templateID
	changed, err := r.checked(changed)
	if err != nil {
		return nil, err
	}
	r.webhook.Webhook = changed
	return &changed, nil
}

func (r *request) PauseWebhook(string) error {
	r.webhook.Status = webhooksapi.StatusPaused
	return nil
}

// ActivateWebhook is POST /webhooks/{id}/activate. From latest, the blocks that were missed are skipped.
func (r *request) ActivateWebhook(_ string, body *webhooksapi.ActivateWebhookRequest) error {
	if r.webhook.Status != webhooksapi.StatusActive && body.StartFrom == webhooksapi.StartFromLatest {
		r.webhook.next = r.state.heads[r.webhook.Network] + 1
	}
	r.webhook.Status = webhooksapi.StatusActive
	return nil
}

func (r *request) DeleteWebhook(id string) error {
	remove(&r.state.webhooks, id)
	return nil
}

func (r *request) DeleteAllWebhooks() error {
	r.state.webhooks = nil
	return nil
}

func (r *request) CountEnabledWebhooks() (*webhooksapi.WebhookCount, error) {
	active := func(one *hook) bool { return one.Status == webhooksapi.StatusActive }
	return &webhooksapi.WebhookCount{Total: count(r.state.webhooks, active)}, nil
}

// TestWebhookFilter is POST /webhooks/test_filter: see filtered.
func (r *request) TestWebhookFilter(body *webhooksapi.FilterTest) (*webhooksapi.FilterResult, error) {
	result, logs, err := testFilter(string(body.FilterFunction), body.Network, body.Block)
	return &webhooksapi.FilterResult{Result: result, Logs: logs, Block: body.Block, Network: body.Network}, err
}

func testFilter(filter, network, block string) (result any, logs []any, err error) {
	number, malformed := strconv.ParseInt(block, 10, 64)
	if malformed != nil || number < 0 {
		return nil, nil, serve.BadRequest("block must be the number of a block")
	}
	if err := knownNetwork(network); err != nil {
		return nil, nil, err
	}
	return filtered(filter, network, number)
}

// filtered is what a filter returns for a made-up block. The emulator executes no JavaScript: a filter with "throw" in
// it fails, one with "return null" returns null, and any other the block. One with "console.log" logs the block's
// number.
func filtered(filter, network string, number int64) (result any, logs []any, err error) {
	if strings.Contains(filter, "throw") {
		return nil, nil, serve.BadRequest("the filter has failed: an error was thrown")
	}
	logs = []any{}
	if strings.Contains(filter, "console.log") {
		logs = append(logs, map[string]any{"level": "info", "message": number})
	}
	if strings.Contains(filter, "return null") {
		return nil, logs, nil
	}
	block := blockOf(alertsapi.AlertNetwork(network), number)
	return map[string]any{"network": network, "number": number, "transactions": block}, logs, nil
}
