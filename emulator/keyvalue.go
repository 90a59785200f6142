package emulator

import (
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/keyvalueapi"
	"github.com/rpcfleet/rpcfleet-go/emulator/internal/serve"
)

// The limits of the key-value area (observed).
const (
	maxKey       = 255
	maxValue     = 800_000
	maxListWrite = 1500
	maxListPage  = 1000
)

// rejectKeyValue writes a failure of the area in its envelope. The code is the status of the failure (observed).
func rejectKeyValue(w http.ResponseWriter, failed *serve.Error) {
	body := failed.Body
	if body == nil {
		body = map[string]any{"code": failed.Status, "msg": failed.Reason, "data": nil, "cursor": ""}
	}
	writeJSON(w, failed.Status, body)
}

// written is the response to a write. Its code differs from the status of the response (observed).
func written() *keyvalueapi.Envelope { return &keyvalueapi.Envelope{Msg: new(""), Cursor: new("")} }

// overLimit is the failure of a request over a limit, which has its reason under another name (observed).
func overLimit(reason string) error {
	return &serve.Error{Status: http.StatusBadRequest, Reason: reason, Body: map[string]any{
		"code": http.StatusBadRequest, "message": reason, "data": nil}}
}

var keyForm = regexp.MustCompile(`^[A-Za-z0-9 ._:$-]+$`)

func checkKey(key string) error {
	if !keyForm.MatchString(key) || len(key) > maxKey {
		return serve.BadRequest("key must have 1 to 255 letters, digits, spaces and . _ : $ -")
	}
	return nil
}

// textPage returns a page of sorted texts and the cursor of the next one. A page that is not the last is followed by an
// empty one with a cursor, as clients must expect.
func textPage(texts []string, limit *int, cursor *string) (page []string, next string, err error) {
	kind, at, _ := strings.Cut(valueOr(cursor, "at-0"), "-")
	first, err := strconv.Atoi(at)
	size := min(valueOr(limit, 100), maxListPage)
	switch {
	case err != nil || first < 0 || kind != "at" && kind != "gap":
		return nil, "", serve.BadRequest("cursor is not one of this listing")
	case size < 1:
		return nil, "", serve.BadRequest("limit must be at least 1")
	case kind == "gap":
		return []string{}, "at-" + at, nil
	}
	page = append([]string{}, pageOf(texts, size, first)...)
	if first+len(page) < len(texts) {
		next = "gap-" + strconv.Itoa(first+len(page))
	}
	return page, next, nil
}

func (r *request) PutValue(body *keyvalueapi.PutValueRequest) (*keyvalueapi.Envelope, error) {
	return r.ChangeValues(&keyvalueapi.BulkRequest{AddSets: map[string]string{body.Key: body.Value}})
}

func (r *request) ChangeValues(body *keyvalueapi.BulkRequest) (*keyvalueapi.Envelope, error) {
	for key, value := range body.AddSets {
		if err := checkKey(key); err != nil {
			return nil, err
		}
		if utf8.RuneCountInString(value) > maxValue {
			return nil, overLimit("value must have at most 800000 characters")
		}
	}
	maps.Copy(r.state.values, body.AddSets)
	for _, key := range body.DeleteSets {
		delete(r.state.values, key)
	}
	return written(), nil
}

func (r *request) ListValues(params keyvalueapi.ListValuesParams) (*keyvalueapi.EntryListEnvelope, error) {
	values := r.state.values
	page, next, err := textPage(slices.Sorted(maps.Keys(values)), params.Limit, params.Cursor)
	return &keyvalueapi.EntryListEnvelope{Code: 200, Cursor: &next, Data: each(page, func(key string) keyvalueapi.Entry {
		return keyvalueapi.Entry{Key: key, Value: values[key]}
	})}, err
}

func (r *request) GetValue(key string) (*keyvalueapi.EntryEnvelope, error) {
	value, found := r.state.values[key]
	if !found {
		return nil, notFound("key not found")
	}
	return &keyvalueapi.EntryEnvelope{Code: 200, Data: keyvalueapi.Entry{Value: value}}, nil
}

func (r *request) DeleteValue(key string) (*keyvalueapi.Envelope, error) {
	if _, found := r.state.values[key]; !found {
		return nil, notFound("key not found")
	}
	delete(r.state.values, key)
	return written(), nil
}

// PutList is POST /lists. It adds to a list that exists.
func (r *request) PutList(body *keyvalueapi.PutListRequest) (*keyvalueapi.Envelope, error) {
	if err := checkKey(body.Key); err != nil {
		return nil, err
	}
	return r.putList(body.Key, body.Items, nil)
}

// putList makes a list with other items.
func (r *request) putList(key string, add, remove []string) (*keyvalueapi.Envelope, error) {
	if len(add)+len(remove) > maxListWrite {
		return nil, overLimit("at most 1500 items can be added and removed at once")
	}
	all := slices.Concat(r.state.lists[key], add)
	all = slices.DeleteFunc(all, func(item string) bool { return slices.Contains(remove, item) })
	slices.Sort(all)
	r.state.lists[key] = slices.Compact(all)
	return written(), nil
}

func (r *request) ListLists(params keyvalueapi.ListListsParams) (*keyvalueapi.KeyListEnvelope, error) {
	page, next, err := textPage(slices.Sorted(maps.Keys(r.state.lists)), params.Limit, params.Cursor)
	return &keyvalueapi.KeyListEnvelope{Code: 200, Cursor: &next, Data: keyvalueapi.KeyList{Keys: page}}, err
}

// ListItems is GET /lists/{key}. An unknown list is an empty one.
func (r *request) ListItems(key string, params keyvalueapi.ListItemsParams) (*keyvalueapi.ItemListEnvelope, error) {
	page, next, err := textPage(r.state.lists[key], params.Limit, params.Cursor)
	return &keyvalueapi.ItemListEnvelope{Code: 200, Cursor: &next, Data: keyvalueapi.ItemList{Items: page}}, err
}

// changeList changes a list. An unknown one is a failure (assumed).
func (r *request) changeList(key string, add, remove []string) (*keyvalueapi.Envelope, error) {
	if _, found := r.state.lists[key]; !found {
		return nil, notFound("list not found")
	}
	return r.putList(key, add, remove)
}

func (r *request) ChangeList(key string, body *keyvalueapi.ListChange) (*keyvalueapi.Envelope, error) {
	return r.changeList(key, body.AddItems, body.RemoveItems)
}

func (r *request) DeleteList(key string) (*keyvalueapi.Envelope, error) {
	unchanged, err := r.changeList(key, nil, nil)
	delete(r.state.lists, key)
	return unchanged, err
}

func (r *request) PutItem(key string, body *keyvalueapi.PutItemRequest) (*keyvalueapi.Envelope, error) {
	return r.changeList(key, []string{body.Item}, nil)
}

func (r *request) RemoveItem(key, item string) (*keyvalueapi.Envelope, error) {
	if !slices.Contains(r.state.lists[key], item) {
		return nil, notFound("item not found")
	}
	return r.changeList(key, nil, []string{item})
}

func (r *request) ContainsItem(key, item string) (*keyvalueapi.ContainsEnvelope, error) {
	exists := slices.Contains(r.state.lists[key], item)
	return &keyvalueapi.ContainsEnvelope{Code: 200, Data: keyvalueapi.ItemContained{Exists: exists}}, nil
}
