package rpcfleet

// WithQuickNode sets QuickNode's base URL and alerts path (observed).
func WithQuickNode() ClientOption {
	return clientOption{nil, func(s *clientSettings) {
		s.baseURL, s.alertsPath = "https://api.quicknode.com", "/quickalerts/rest/v1"
	}}
}
