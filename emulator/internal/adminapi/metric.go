package adminapi

// MetricTag is what a time series is about: a string, or a []string of a kind and one of that kind.
type MetricTag any
