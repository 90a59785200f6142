package transport

import (
	"net/http"
	"net/url"
)

// withCookies returns the headers with the cookies that the jar has for an address, where there is a jar.
func (t *Transport) withCookies(header http.Header, address *url.URL) http.Header {
	if t.jar == nil {
		return header
	}
	req := http.Request{Header: header.Clone()}
	for _, cookie := range t.jar.Cookies(address) {
		req.AddCookie(cookie)
	}
	return req.Header
}

// keepCookies hands the jar the cookies of a response.
func (t *Transport) keepCookies(address *url.URL, resp *http.Response) {
	if t.jar == nil {
		return
	}
	if cookies := resp.Cookies(); len(cookies) > 0 {
		t.jar.SetCookies(address, cookies)
	}
}
