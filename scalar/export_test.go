package scalar

// Indexed returns the number of fields that are found without a search.
func Indexed(e Extra) int { return len((*e.fields).index) }
