package record

// Envelope is the admin area's wrapper of data.
type Envelope[T any] struct {
	Data       T           `json:"data"`
	Pagination *Pagination `json:"pagination,omitempty"`
	NextAt     *string     `json:"next_at,omitempty"`
	Error      *string     `json:"error"`
}

// Pagination is the position of a page in its listing.
type Pagination struct {
	Total  int `json:"total"`
	Limit  int `json:"limit"`
	Offset int `json:"offset"`
}
