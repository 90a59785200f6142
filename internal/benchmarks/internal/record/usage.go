package record

// Usage is the usage within a time range by method.
type Usage struct {
	Methods   []MethodUsage `json:"methods"`
	StartTime int64         `json:"start_time"`
	EndTime   int64         `json:"end_time"`
}

// MethodUsage is the usage of a method on a network.
type MethodUsage struct {
	MethodName  string `json:"method_name"`
	CreditsUsed int64  `json:"credits_used"`
	Archive     *bool  `json:"archive"`
	Network     string `json:"network"`
	Chain       string `json:"chain"`
}
