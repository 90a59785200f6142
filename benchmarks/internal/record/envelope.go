package record

// Envelope is what the admin area wraps its data in.
type Envelope[T any] struct {
	Data       T           `json:"data"`
	Pagination *Pagination `json:"pagination,omitempty"`
	NextAt     *string     `json:"next_at,omitempty"`
	Error      *string     `json:"error"`
}

// Pagination tells where a page stands in its listing.
type Pagination struct {
	Total  int `json:"total"`
	Limit  int `json:"limit"`
	Offset int `json:"offset"`
}
