package rpcfleet

// WithQuickNode sets the addresses of QuickNode's live service (observed).
func WithQuickNode() ClientOption {
	return clientOption{nil, func(s *clientSettings) {
		s.baseURL, s.alertsPath = "https://api.quicknode.com", "/quickalerts/rest/v1"
	}}
}
