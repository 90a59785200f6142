package faultnet

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// serve1 serves HTTP/1.1 until a fault ends the connection.
func (c *conn) serve1() {
	for {
		if _, err := c.in.Peek(1); err != nil {
			return
		}
		fault, number := c.server.arrived("")
		if fault.early1 != nil {
			fault.early1(c)
			return
		}
		head, err := c.head()
		if err != nil {
			return
		}
		c.server.note(number, head)
		req, err := http.ReadRequest(bufio.NewReader(io.MultiReader(strings.NewReader(head), c.in)))
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

// head reads a request up to the empty line.
func (c *conn) head() (string, error) {
	var head strings.Builder
	for {
		line, err := c.in.ReadString('\n')
		if err != nil {
			return "", err
		}
		head.WriteString(line)
		if line == "\r\n" {
			return head.String(), nil
		}
	}
}

// respond1 writes a complete response.
func (c *conn) respond1(status int, contentType, body string) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s",
		status, http.StatusText(status), contentType, len(body), body)
	c.write(b.String())
}
