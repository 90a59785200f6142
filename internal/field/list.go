package field

import "github.com/rpcfleet/rpcfleet-go/internal/scan"

// List reads an array. It gets room for two items, and the outermost one, which is most of the text, then for as many
// as the rest of the text has at the size of those that were read.
func List[T any](s *scan.Scanner, into *[]T, read func(*scan.Scanner, *T)) {
	if s.Null() {
		return
	}
	whole, items := s.Left(), []T{}
	for s.Array(); s.Element(); {
		if n := len(items); n == cap(items) && (n == 0 || s.Lists() == 1) {
			grown := make([]T, n, room(n, whole-s.Left(), whole))
			copy(grown, items)
			items = grown
		}
		var empty T
		items = append(items, empty)
		read(s, &items[len(items)-1])
	}
	*into = items
}

// room returns how many items to make room for where n of them took a part of the bytes. A few small items say nothing
// of those that follow: a body may be made to take more memory than it is worth.
func room(n, part, whole int) int {
	if n < 2 {
		return 2
	}
	expected := int(int64(n)*int64(whole)/int64(part)) + 1
	return min(expected, max(256, 2*n))
}
