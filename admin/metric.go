package admin

import "github.com/rpcfleet/rpcfleet-go/scalar"

// MetricPoint is a point of a time series: a time and a value.
type MetricPoint = scalar.Point

// MetricTag is what a time series is about: a text such as a method or a status, or several texts such as a kind and
// one of that kind (observed).
type MetricTag = scalar.Texts
