package faultnet

import (
	"fmt"
	"io"
	"net/http"
)

// serve1 serves HTTP/1.1 until a fault ends the connection.
func (c *conn) serve1() {
	for {
		if _, err := c.in.Peek(1); err != nil {
			return
		}
		fault := c.server.arrived()
		if fault.early1 != nil {
			fault.early1(c)
			return
		}
		req, err := http.ReadRequest(c.in)
		if err != nil {
			return
		}
		if fault.headed1 != nil {
			if req.ContentLength == 0 {
				c.server.ended()
			}
			fault.headed1(c)
			return
		}
		if _, err := io.Copy(io.Discard, req.Body); err != nil {
			return
		}
		c.server.ended()
		if fault.http1(c); !fault.keeps {
			return
		}
	}
}

// respond1 writes a complete response.
func (c *conn) respond1(status int, contentType, body string) {
	c.write(fmt.Sprintf("HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s",
		status, http.StatusText(status), contentType, len(body), body))
}
