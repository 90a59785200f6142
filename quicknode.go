package rpcfleet

// WithQuickNode sets the base URL and the alerts path of QuickNode's live service (observed).
func WithQuickNode() ClientOption {
	return clientOption{nil, func(s *clientSettings) {
		s.baseURL, s.alertsPath = "https://api.quicknode.com", "/quickalerts/rest/v1"
	}}
}
