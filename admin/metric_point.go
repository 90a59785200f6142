package admin

import "github.com/rpcfleet/rpcfleet-go/scalar"

// MetricPoint is a point of a time series: a time and a value.
type MetricPoint = scalar.Point
