package emulator

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/leaf"
)

// The parameters of pages, in queries and in the variables of the graph area.
const (
	limitName, offsetName, cursorName = "limit", "offset", "next_at"
	firstVariable, afterVariable      = "first", "after"
)

// paged reports whether a request is for a listing with one of the kinds of paging.
func (a *asked) paged(pagings []string) bool {
	for _, paging := range pagings {
		if a.op != nil && a.op.Paging == paging {
			return true
		}
	}
	return false
}

// lowerLimit asks for a smaller page. A request that names no limit gets this one.
func lowerLimit(f Fault, a *asked) bool {
	if !a.paged(pages) {
		return false
	}
	if a.op.ID == graphOperation {
		return a.setVariable(firstVariable, func(sent any) (any, bool) {
			n, is := sent.(float64)
			return f.Limit, is && n > float64(f.Limit)
		})
	}
	query := a.request.URL.Query()
	if sent, err := strconv.Atoi(query.Get(limitName)); query.Has(limitName) && (err != nil || sent <= f.Limit) {
		return false
	}
	query.Set(limitName, strconv.Itoa(f.Limit))
	a.request.URL.RawQuery = query.Encode()
	return true
}

// askForTheFirstPage takes the place in the listing out of the request.
func askForTheFirstPage(_ Fault, a *asked) bool {
	if !a.paged(pages) {
		return false
	}
	if a.op.ID == graphOperation {
		return a.setVariable(afterVariable, func(sent any) (any, bool) {
			cursor, is := sent.(string)
			return nil, is && cursor != ""
		})
	}
	query := a.request.URL.Query()
	if offset := query.Get(offsetName); (offset == "" || offset == "0") && query.Get(cursorName) == "" {
		return false
	}
	query.Del(offsetName)
	query.Del(cursorName)
	a.request.URL.RawQuery = query.Encode()
	return true
}

// repeatCursor puts the request's cursor in the place of the next one.
func repeatCursor(_ Fault, a asked, response *response) bool {
	if !a.paged(cursors) {
		return false
	}
	if a.op.ID == graphOperation {
		cursor, _ := a.variables()[afterVariable].(string)
		var root any
		decoder := json.NewDecoder(bytes.NewReader(response.body.Bytes()))
		decoder.UseNumber() // Numbers stay as they are spelled.
		if cursor == "" || decoder.Decode(&root) != nil || !repeatIn(root, cursor) {
			return false
		}
		body, err := json.Marshal(root)
		return err == nil && response.replace(body)
	}
	cursor := a.request.URL.Query().Get(cursorName)
	if cursor == "" {
		return false
	}
	body, changed := leaf.Set(response.body.Bytes(), "/"+cursorName, cursor)
	return changed && response.replace(body)
}

// repeatIn puts the cursor into every pageInfo, and reports whether there was one.
func repeatIn(value any, cursor string) (found bool) {
	switch value := value.(type) {
	case map[string]any:
		if info, is := value["pageInfo"].(map[string]any); is {
			info["endCursor"], info["hasNextPage"], found = cursor, true, true
		}
		for _, inner := range value {
			found = repeatIn(inner, cursor) || found
		}
	case []any:
		for _, inner := range value {
			found = repeatIn(inner, cursor) || found
		}
	}
	return found
}

// variables are those of a request of the graph area.
func (a *asked) variables() map[string]any {
	var sent struct {
		Variables map[string]any `json:"variables"`
	}
	_ = json.Unmarshal(a.body, &sent) // The graph area says what is wrong with it.
	return sent.Variables
}

// setVariable changes a variable of a request of the graph area, and reports whether there was anything to change.
func (a *asked) setVariable(name string, change func(sent any) (any, bool)) bool {
	value, wanted := change(a.variables()[name])
	if !wanted {
		return false
	}
	body, changed := leaf.Set(a.body, "/variables/"+name, value)
	if changed {
		a.body = body
	}
	return changed
}
