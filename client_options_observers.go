package rpcfleet

// WithObserver adds an observer of all calls of the client. Given several times, all are told: the first is the
// outermost, which is told of the beginning first and of the end last, and each begins in the context that the one
// before it returned. A nil observer is refused.
func WithObserver(observer Observer) Option {
	return clientOption(func(s *clientSettings) error {
		if observer == nil {
			return &ValidationError{Field: "observer", Rule: "must not be nil"}
		}
		s.observer = s.observer.around(observer)
		return nil
	})
}

// WithAttemptObserver adds an observer of all attempts of the client. Given several times, all are told, in the order of
// [WithObserver]. A nil observer is refused. Without one, attempts cost nothing more.
func WithAttemptObserver(observer AttemptObserver) Option {
	return clientOption(func(s *clientSettings) error {
		if observer == nil {
			return &ValidationError{Field: "attempt observer", Rule: "must not be nil"}
		}
		s.attempts = s.attempts.around(observer)
		return nil
	})
}
