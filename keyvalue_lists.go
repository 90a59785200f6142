package rpcfleet

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/reply"
	"github.com/rpcfleet/rpcfleet-go/keyvalue"
)

// KeyValueService stores values by their keys, and lists of texts, which filters of webhooks and streams can read:
// values of at most 800,000 characters, and 1,500 items in a write to a list. All routes are observed.
type KeyValueService engine

// Get returns the value of a key. If there is none, the error is [ErrNotFound].
// GET /kv/rest/v1/sets/{key}
func (s *KeyValueService) Get(ctx context.Context, key string, opts ...CallOption) (string, error) {
	found, err := fetch(ctx, (*engine)(s), api.GetValue(key), opts)
	return orNew(found).Value, err
}

// List returns one page of the keys and their values. A page may be empty and have a next one.
// GET /kv/rest/v1/sets
func (s *KeyValueService) List(ctx context.Context, params keyvalue.ListValuesParams, opts ...CallOption) (
	*Page[keyvalue.Entry], error) {
	params.Cursor = ptrOrNil(deref(params.Cursor)) // An empty cursor is the beginning.
	return fetchPage(ctx, (*engine)(s), api.ListValues(&params), opts)
}

// Pages iterates over the pages from the cursor in params. The page size is Limit or [WithPageSize].
// GET /kv/rest/v1/sets
func (s *KeyValueService) Pages(ctx context.Context, params keyvalue.ListValuesParams, opts ...CallOption) iter.Seq2[
	*Page[keyvalue.Entry], error] {
	identity := func(entry *keyvalue.Entry) string { return entry.Key }
	return keyPages(ctx, (*engine)(s), "listValues", params, opts, identity,
		func(ctx context.Context, params keyvalue.ListValuesParams) (*Page[keyvalue.Entry], error) {
			return s.List(ctx, params, opts...)
		})
}

// All iterates over every key and its value: see Pages.
// GET /kv/rest/v1/sets
func (s *KeyValueService) All(ctx context.Context, params keyvalue.ListValuesParams, opts ...CallOption) iter.Seq2[
	keyvalue.Entry, error] {
	return itemsOf(s.Pages(ctx, params, opts...))
}

// keyPages iterates over a listing of the area, from the cursor in params.
func keyPages[T any](ctx context.Context, e *engine, operation string, params keyvalue.ListValuesParams,
	opts []CallOption, identity func(*T) string,
	list func(context.Context, keyvalue.ListValuesParams) (*Page[T], error)) iter.Seq2[*Page[T], error] {
	settings, _ := e.settings(opts) // The calls return the error.
	limit := cmp.Or(params.Limit, &settings.pageSize)
	from := cursorPosition[T]{operation: operation, cursor: deref(params.Cursor), identity: identity}
	return cursorPages(ctx, settings, from, func(ctx context.Context, cursor string) (*Page[T], error) {
		return list(ctx, keyvalue.ListValuesParams{Limit: limit, Cursor: &cursor})
	})
}

// CreateList creates a list of up to 1,500 items, or adds them to the list that has the key: it is safe to repeat, and
// does not make a list equal to the items, as SetList does. Some clients of the service expect an [ErrConflict] for a
// list that exists.
// POST /kv/rest/v1/lists
func (s *KeyValueService) CreateList(ctx context.Context, key string, items []string, opts ...CallOption) error {
	// The field is required: no items are sent as an empty list, not null.
	c := (*engine)(s).newCall(api.PutList(append([]string{}, items...), key), opts)
	c.creates = true // WithCreateOnce changes nothing.
	_, err := c.exchange(ctx, reply.Payload{})
	return err
}

// Lists returns one page of the keys of the lists. A page may be empty and have a next one.
// GET /kv/rest/v1/lists
func (s *KeyValueService) Lists(ctx context.Context, params keyvalue.ListValuesParams, opts ...CallOption) (
	*Page[string], error) {
	params.Cursor = ptrOrNil(deref(params.Cursor))
	return fetchTexts(ctx, (*engine)(s), api.ListLists(&params), opts, func(r *api.KeyList) []string { return r.Keys })
}

// fetchTexts executes a call that lists texts, and returns the page.
func fetchTexts[R any](ctx context.Context, e *engine, request api.RequestOf[R], opts []CallOption,
	texts func(*R) []string) (*Page[string], error) {
	var record R
	content, err := e.newCall(request.Request, opts).exchange(ctx, reply.Record(&record, request.Read))
	if err != nil {
		return nil, err
	}
	page := &Page[string]{Items: texts(&record), Total: -1, NextCursor: content.NextAt}
	page.Cursor, _ = api.QueryValue[string](request.Query, "cursor")
	return page, nil
}

// AllLists iterates over the key of every list. The page size is Limit or [WithPageSize].
// GET /kv/rest/v1/lists
func (s *KeyValueService) AllLists(ctx context.Context, params keyvalue.ListValuesParams, opts ...CallOption) iter.Seq2[
	string, error] {
	return itemsOf(keyPages(ctx, (*engine)(s), "listLists", params, opts, deref[string],
		func(ctx context.Context, params keyvalue.ListValuesParams) (*Page[string], error) {
			return s.Lists(ctx, params, opts...)
		}))
}

// Items returns one page of the items of a list, sorted, each once. A page may be empty and have a next one. An unknown
// list is an empty one.
// GET /kv/rest/v1/lists/{key}
func (s *KeyValueService) Items(ctx context.Context, key string, params keyvalue.ListValuesParams, opts ...CallOption) (
	*Page[string], error) {
	params.Cursor = ptrOrNil(deref(params.Cursor))
	return fetchTexts(ctx, (*engine)(s), api.ListItems(key, &params), opts,
		func(r *api.ItemList) []string { return r.Items })
}

// AllItems iterates over every item of a list. The page size is Limit or [WithPageSize]. An unknown list is an empty
// one.
// GET /kv/rest/v1/lists/{key}
func (s *KeyValueService) AllItems(ctx context.Context, key string, params keyvalue.ListValuesParams,
	opts ...CallOption) iter.Seq2[string, error] {
	return itemsOf(keyPages(ctx, (*engine)(s), "listItems", params, opts, deref[string],
		func(ctx context.Context, params keyvalue.ListValuesParams) (*Page[string], error) {
			return s.Items(ctx, key, params, opts...)
		}))
}

// Contains reports whether a list has an item. An unknown list has none.
// GET /kv/rest/v1/lists/{key}/contains/{item}
func (s *KeyValueService) Contains(ctx context.Context, key, item string, opts ...CallOption) (bool, error) {
	found, err := fetch(ctx, (*engine)(s), api.ContainsItem(key, item), opts)
	return orNew(found).Exists, err
}

// maxListWrite is the largest number of items that a write may add and remove together, and setPage the size of the
// pages that SetList reads.
const (
	maxListWrite = 1500
	setPage      = 1000
)

// SetList makes a list equal to a set of items with as few writes as possible, additions first, and returns what it
// added and removed. It creates the list if there is none. After a failure it returns what it has done, and can be
// repeated. Another client must not change the list meanwhile.
// PATCH /kv/rest/v1/lists/{key}
func (s *KeyValueService) SetList(ctx context.Context, key string, items iter.Seq[string], opts ...CallOption) (
	keyvalue.ListChange, error) {
	wanted, done := map[string]bool{}, keyvalue.ListChange{}
	if items != nil {
		for item := range items {
			wanted[item] = true
		}
	}
	checks := []*ValidationError{notNil("items", items == nil)}
	if wanted[""] {
		checks = append(checks, required("item", ""))
	}
	c := (*engine)(s).newCall(api.ListItems(key, nil).Request, opts, checks...)
	if c.err != nil {
		return done, c.err
	}
	var add, remove []string
	exists := false
	for item, err := range s.AllItems(ctx, key, keyvalue.ListValuesParams{Limit: new(setPage)}, opts...) {
		if err != nil {
			return done, err
		}
		exists = true
		if !wanted[item] {
			remove = append(remove, item)
		}
		delete(wanted, item)
	}
	for item := range wanted {
		add = append(add, item)
	}
	slices.Sort(add)
	for len(add)+len(remove) > 0 {
		change := keyvalue.ListChange{AddItems: add[:min(len(add), maxListWrite)]}
		change.RemoveItems = remove[:min(len(remove), maxListWrite-len(change.AddItems))]
		var err error
		if exists {
			err = s.ChangeList(ctx, key, change, opts...)
		} else {
			err = s.CreateList(ctx, key, change.AddItems, opts...)
		}
		if err != nil {
			return done, err
		}
		exists = true
		done.AddItems = append(done.AddItems, change.AddItems...)
		done.RemoveItems = append(done.RemoveItems, change.RemoveItems...)
		add, remove = add[len(change.AddItems):], remove[len(change.RemoveItems):]
	}
	return done, nil
}
