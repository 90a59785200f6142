package record

import "time"

// LogEntry is a call through an endpoint.
type LogEntry struct {
	Timestamp  time.Time   `json:"timestamp"`
	Method     string      `json:"method"`
	Network    string      `json:"network"`
	HTTPMethod string      `json:"http_method"`
	Status     int         `json:"status"`
	ErrorCode  *int        `json:"error_code"`
	URL        string      `json:"url"`
	RequestID  string      `json:"request_id"`
	Details    *LogDetails `json:"details"`
}

// LogDetails holds the request and the response of a logged call.
type LogDetails struct {
	Request  string `json:"request"`
	Response string `json:"response"`
}
