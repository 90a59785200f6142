package rpcfleet

// The addresses of QuickNode's live service (observed).
const (
	quickNodeURL        = "https://api.quicknode.com"
	quickNodeAlertsPath = "/quickalerts/rest/v1"
)

// WithQuickNode sets the base URL and the alerts path of QuickNode's live service (observed). An option after it, such
// as [WithBaseURL], takes precedence.
func WithQuickNode() ClientOption {
	return clientOption{nil, func(s *clientSettings) {
		WithBaseURL(quickNodeURL).(clientOption).set(s)
		WithAlertsPath(quickNodeAlertsPath).(clientOption).set(s)
	}}
}
