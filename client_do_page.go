package rpcfleet

import (
	"context"
	"net/url"
	"reflect"
	"strconv"
)

// aPage is a page of either kind, which is made of more than the payload.
type aPage interface {
	receive(ctx context.Context, d *direct) error
}

// pageIn returns the page that a value is or, as a pointer, shall point to. It is nil for any other value.
func pageIn[T any](made *T) aPage {
	if page, is := any(made).(aPage); is {
		return page
	}
	if _, is := any(*made).(aPage); !is {
		return nil
	}
	page := reflect.New(reflect.TypeFor[T]().Elem())
	reflect.ValueOf(made).Elem().Set(page)
	return page.Interface().(aPage)
}

// receive carries out a call of Do and makes a page of its response.
func (p *Page[T]) receive(ctx context.Context, d *direct) error {
	content, err := receiveContent[[]T](ctx, d)
	if err != nil {
		return err
	}
	*p = *newPage(content, offsetIn(d.query))
	return nil
}

// receive carries out a call of Do and makes a page of its response.
func (p *CursorPage[T]) receive(ctx context.Context, d *direct) error {
	content, err := receiveContent[[]T](ctx, d)
	if err != nil {
		return err
	}
	*p = *newCursorPage(content, d.query.Get("next_at"))
	return nil
}

// offsetIn returns the offset that a page is asked for with, or nil.
func offsetIn(query url.Values) *int {
	offset, err := strconv.Atoi(query.Get("offset"))
	if err != nil {
		return nil
	}
	return &offset
}
