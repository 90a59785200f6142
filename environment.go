package rpcfleet

import (
	"errors"
	"os"
	"time"
)

const (
	baseURLVariable = "RPCFLEET_BASE_URL"
	apiKeyVariable  = "RPCFLEET_API_KEY"
	timeoutVariable = "RPCFLEET_TIMEOUT"
)

// NewFromEnv makes a client from the environment. Options given here come after it and win. A [*ValidationError] about
// a value that came from the environment, or is missing there, names the variable.
//
//	RPCFLEET_BASE_URL      the base URL (WithBaseURL)
//	RPCFLEET_API_KEY       the API key (WithAPIKey)
//	RPCFLEET_BEARER_TOKEN  the bearer token of team operations (WithBearerToken)
//	RPCFLEET_ALERTS_PATH   the prefix of the alerts area (WithAlertsPath)
//	RPCFLEET_GRAPH_PATH    the path of the graph area (WithGraphPath)
//	RPCFLEET_TIMEOUT       the time limit of an attempt, as "30s" (WithTimeout)
func NewFromEnv(options ...Option) (*Client, error) {
	fromEnv := []Option{clientOption(func(s *clientSettings) error {
		s.baseURLName, s.keyName = baseURLVariable, apiKeyVariable
		return nil
	})}
	for _, variable := range []struct {
		name string
		with func(string) Option
	}{
		{baseURLVariable, WithBaseURL},
		{apiKeyVariable, WithAPIKey},
		{"RPCFLEET_BEARER_TOKEN", WithBearerToken},
		{"RPCFLEET_ALERTS_PATH", WithAlertsPath},
		{"RPCFLEET_GRAPH_PATH", WithGraphPath},
		{timeoutVariable, withTimeoutText},
	} {
		if value := os.Getenv(variable.name); value != "" {
			fromEnv = append(fromEnv, named(variable.name, variable.with(value)))
		}
	}
	return New(append(fromEnv, options...)...)
}

// withTimeoutText is WithTimeout with a duration in text.
func withTimeoutText(text string) Option {
	return clientOption(func(s *clientSettings) error {
		timeout, err := time.ParseDuration(text)
		if err != nil {
			return &ValidationError{Rule: `must be a duration such as "30s"`, Value: shown(text)}
		}
		return WithTimeout(timeout).applyClient(s)
	})
}

// named is an option whose value is that of a variable, which its errors name.
func named(variable string, option Option) Option {
	return clientOption(func(s *clientSettings) error {
		err := option.applyClient(s)
		if broken := (*ValidationError)(nil); errors.As(err, &broken) {
			broken.Field = variable
		}
		if variable == baseURLVariable {
			s.baseURLName = variable // It is checked once all options are known.
		}
		return err
	})
}
