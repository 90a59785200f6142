package emulator

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/alertsapi"
	"github.com/rpcfleet/rpcfleet-go/emulator/internal/serve"
	"github.com/rpcfleet/rpcfleet-go/emulator/internal/streamsapi"
	"github.com/rpcfleet/rpcfleet-go/emulator/internal/webhooksapi"
)

// webhooksPath begins the paths of the webhooks area.
const webhooksPath = "/webhooks/rest/v1"

// platform is the state of the webhooks, key-value and streams areas.
type platform struct {
	keyValues

	webhooks []*hook
	streams  []*stream
	heads    map[string]int64 // The newest block of each network.
}

func newPlatform() platform {
	return platform{keyValues: keyValues{map[string]string{}, map[string][]string{}}, heads: map[string]int64{}}
}

// hook is a webhook, with the next block that it delivers.
type hook struct {
	webhooksapi.Webhook

	next int64
}

// isPlatform reports whether a prefix belongs to one of these areas.
func isPlatform(prefix string) bool {
	return prefix == webhooksPath || prefix == keyValuePath || prefix == streamsPath
}

// refusal is the error of a request that the service does not accept.
func refusal(reason string) error { return &serve.Error{Status: http.StatusBadRequest, Reason: reason} }

// rejectPlatform writes a failure of the webhooks or the streams area. The message of a request that is not acceptable
// is a list (observed).
func rejectPlatform(w http.ResponseWriter, failed *serve.Error) {
	message := failed.Body
	if message == nil && failed.Status == http.StatusBadRequest {
		message = []string{failed.Reason}
	}
	writeJSON(w, failed.Status, webhooksapi.WebhooksError{
		StatusCode: &failed.Status, Message: cmp.Or[any](message, failed.Reason), Error: new(http.StatusText(failed.Status)),
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

func checkAddress(text string) error {
	address, err := url.Parse(text)
	if err != nil || address.Host == "" || address.Scheme != "http" && address.Scheme != "https" {
		return refusal("url must be an absolute http or https URL")
	}
	return nil
}

// platformPage returns a page of a list, with its limit and offset.
func platformPage[T any](s *settings, list []T, limit, offset *int) (page []T, size, first int, err error) {
	size, first = min(valueOr(limit, defaultPage), s.pageCap), valueOr(offset, 0)
	if size < 1 || first < 0 {
		return nil, 0, 0, refusal("limit must be at least 1, and offset not negative")
	}
	return pageOf(list, size, first), size, first, nil
}

// newToken returns a security token that the service makes.
func (r *request) newToken() string { return "qnsec_" + r.state.ids.text(32) }

func (r *request) webhook(id string) (*hook, error) {
	for _, one := range r.state.platform.webhooks {
		if one.ID == id {
			return one, nil
		}
	}
	return nil, notFound("webhook not found")
}

// add adds a webhook, which begins with the block after the newest.
func (r *request) add(w webhooksapi.Webhook) (*webhooksapi.Webhook, error) {
	if err := cmp.Or(knownNetwork(w.Network), checkAddress(w.Destination.URL)); err != nil {
		return nil, err
	}
	w.ID, w.CreatedAt, w.UpdatedAt = r.state.ids.uuid(), r.state.now(), r.state.now()
	w.Destination.SecurityToken = cmp.Or(w.Destination.SecurityToken, r.newToken())
	if err := r.manageLists(&w); err != nil {
		return nil, err
	}
	r.state.platform.webhooks = append(r.state.platform.webhooks, &hook{w, r.state.platform.heads[w.Network] + 1})
	return &w, nil
}

func (r *request) CreateWebhook(body *webhooksapi.CreateWebhookRequest) (
	*webhooksapi.Webhook, error) {
	if body.Status == webhooksapi.StatusTerminated {
		return nil, refusal("status must be active or paused")
	}
	return r.add(webhooksapi.Webhook{
		Name: body.Name, Network: body.Network, FilterFunction: body.FilterFunction, Status: body.Status,
		NotificationEmail: body.NotificationEmail, Destination: body.Destination,
	})
}

func (r *request) CreateWebhookFromTemplate(templateID string,
	body *webhooksapi.CreateFromTemplateRequest) (*webhooksapi.Webhook, error) {
	return r.add(webhooksapi.Webhook{
		Name: body.Name, Network: body.Network, TemplateID: templateID, TemplateArgs: body.TemplateArgs,
		NotificationEmail: body.NotificationEmail, Destination: body.Destination, Status: webhooksapi.StatusActive,
	})
}

// templates are the lists that the arguments of a template may be given in place, each with the name of the argument
// that names a Key-Value list instead.
var templates = map[string]map[string]string{
	"evmWalletFilter":   {"wallets": "walletsListName"},
	"evmContractEvents": {"contracts": "contractsListName", "eventHashes": "eventHashesListName"},
	"evmAbiFilter":      {"contracts": "contractsListName", "abi": "abi", "abiJson": "abiJson"},

	"solanaWalletFilter":  {"accounts": "accountsListName"},
	"bitcoinWalletFilter": {"wallets": "walletsListName"}, "xrplWalletFilter": {"wallets": "walletsListName"},
	"hyperliquidWalletEventsFilter":                {"wallets": "walletsListName"},
	"stellarWalletTransactionsSourceAccountFilter": {"wallets": "walletsListName"},
}

// manageLists puts the lists of a template's arguments that are given in place into Key-Value lists, and their names
// into the arguments (observed). Other arguments are refused.
func (r *request) manageLists(w *webhooksapi.Webhook) error {
	if w.TemplateID == "" {
		return nil
	}
	template, known := templates[w.TemplateID]
	if !known {
		return refusal("there is no template " + w.TemplateID)
	}
	args := webhooksapi.Attributes{}
	for name, value := range w.TemplateArgs {
		list, inPlace := value.([]any)
		switch key := "webhook-" + w.ID + "-" + name; {
		case inPlace && template[name] != "":
			items := []string{}
			for _, item := range list {
				text, _ := item.(string)
				items = append(items, text)
			}
			delete(r.state.platform.lists, key)
			if _, err := r.changeList(key, items, nil); err != nil {
				return err
			}
			args[template[name]] = key
		case template[name] == name || containsValue(template, name):
			args[name] = value
		default:
			return refusal("templateArgs." + name + " should not exist")
		}
	}
	w.TemplateArgs = args
	return nil
}

func containsValue(of map[string]string, value string) bool {
	for _, one := range of {
		if one == value {
			return true
		}
	}
	return false
}

// ListWebhooks is GET /webhooks. It leaves out filters and arguments (observed).
func (r *request) ListWebhooks(params webhooksapi.ListWebhooksParams) (
	*webhooksapi.WebhookPage, error) {
	all := r.state.platform.webhooks
	page, limit, offset, err := platformPage(&r.settings, all, params.Limit, params.Offset)
	return &webhooksapi.WebhookPage{
		Data: each(page, func(one *hook) webhooksapi.Webhook {
			shown := one.Webhook
			shown.FilterFunction, shown.TemplateArgs = nil, nil
			return shown
		}),
		PageInfo: webhooksapi.PageInfo{Limit: limit, Offset: offset, Total: len(all)},
	}, err
}

func (r *request) GetWebhook(id string) (*webhooksapi.Webhook, error) {
	one, err := r.webhook(id)
	if err != nil {
		return nil, err
	}
	return &one.Webhook, nil
}

func (r *request) UpdateWebhook(id string, body *webhooksapi.UpdateWebhookRequest) (
	*webhooksapi.Webhook, error) {
	return r.change(id, "", body, nil)
}

func (r *request) UpdateWebhookTemplate(id, templateID string,
	body *webhooksapi.UpdateTemplateRequest) (*webhooksapi.Webhook, error) {
	return r.change(id, templateID, &webhooksapi.UpdateWebhookRequest{
		Name: body.Name, NotificationEmail: body.NotificationEmail, Destination: body.Destination, Status: body.Status,
	}, body.TemplateArgs)
}

// change changes a webhook that is not active. A destination without a token gets a new one (observed).
func (r *request) change(id, templateID string, body *webhooksapi.UpdateWebhookRequest,
	args webhooksapi.Attributes) (*webhooksapi.Webhook, error) {
	one, err := r.webhook(id)
	switch {
	case err != nil:
		return nil, err
	case one.Status == webhooksapi.StatusActive:
		return nil, refusal("an active webhook cannot be updated: pause it first")
	case templateID != "" && one.TemplateID == "":
		return nil, refusal("the webhook has no template")
	}
	changed := one.Webhook
	changed.Name, changed.Status = valueOr(body.Name, changed.Name), valueOr(body.Status, changed.Status)
	changed.NotificationEmail = valueOr(body.NotificationEmail, changed.NotificationEmail)
	changed.FilterFunction = valueOr(body.FilterFunction, changed.FilterFunction)
	if body.Destination != nil {
		changed.Destination = *body.Destination
		changed.Destination.SecurityToken = cmp.Or(changed.Destination.SecurityToken, r.newToken())
		if err := checkAddress(changed.Destination.URL); err != nil {
			return nil, err
		}
	}
	if templateID != "" {
		changed.TemplateID, changed.TemplateArgs = templateID, args
		if err := r.manageLists(&changed); err != nil {
			return nil, err
		}
	}
	changed.UpdatedAt = r.state.now()
	one.Webhook = changed
	return &changed, nil
}

func (r *request) PauseWebhook(id string) error {
	one, err := r.webhook(id)
	if err == nil {
		one.Status = webhooksapi.StatusPaused
	}
	return err
}

// ActivateWebhook is POST /webhooks/{id}/activate. From latest, the blocks that were missed are skipped.
func (r *request) ActivateWebhook(id string, body *webhooksapi.ActivateWebhookRequest) error {
	one, err := r.webhook(id)
	if err != nil {
		return err
	}
	if one.Status != webhooksapi.StatusActive && body.StartFrom == webhooksapi.StartFromLatest {
		one.next = r.state.platform.heads[one.Network] + 1
	}
	one.Status = webhooksapi.StatusActive
	return nil
}

func (r *request) DeleteWebhook(id string) error {
	one, err := r.webhook(id)
	r.state.platform.webhooks = slices.DeleteFunc(r.state.platform.webhooks, func(w *hook) bool { return w == one })
	return err
}

func (r *request) DeleteAllWebhooks() error {
	r.state.platform.webhooks = nil
	return nil
}

func (r *request) CountEnabledWebhooks() (*webhooksapi.WebhookCount, error) {
	count := &webhooksapi.WebhookCount{}
	for _, one := range r.state.platform.webhooks {
		if one.Status == webhooksapi.StatusActive {
			count.Total++
		}
	}
	return count, nil
}

// TestWebhookFilter is POST /webhooks/test_filter: see filtered.
func (r *request) TestWebhookFilter(body *webhooksapi.FilterTest) (
	*webhooksapi.FilterResult, error) {
	result, logs, err := testFilter(string(body.FilterFunction), body.Network, body.Block)
	return &webhooksapi.FilterResult{Result: result, Logs: logs, Block: body.Block, Network: body.Network}, err
}

func testFilter(filter, network, block string) (result any, logs []any, err error) {
	number, malformed := strconv.ParseInt(block, 10, 64)
	if malformed != nil || number < 0 {
		return nil, nil, refusal("block must be the number of a block")
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
		return nil, nil, refusal("the filter has failed: an error was thrown")
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
