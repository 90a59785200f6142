package faultnet

import (
	"io"
	"slices"
)

// Fault is the treatment of a request.
type Fault struct {
	// Name describes the fault.
	Name string

	http1   func(*conn)         // After the whole request.
	headed1 func(*conn)         // After its head.
	early1  func(*conn)         // After its first byte.
	http2   func(*conn, uint32) // After the whole request, on its stream.
	headed2 func(*conn, uint32) // After its HEADERS.
	keeps   bool                // The connection stays open.
}

// Respond is a fault that sends a response with the status.
func Respond(name string, status int, contentType, body string) Fault {
	return Fault{
		Name:  name,
		http1: func(c *conn) { c.respond1(status, contentType, body) },
		http2: func(c *conn, stream uint32) { c.respond2(stream, status, contentType, body) },
		keeps: true,
	}
}

// Raw is a fault that sends a text in pieces in the place of an HTTP/1 response.
func Raw(name string, pieces ...string) Fault {
	return Fault{Name: name, keeps: true, http1: func(c *conn) {
		for _, piece := range pieces {
			c.write(piece)
		}
	}}
}

// OK is a successful response with an empty record.
var OK = Respond("a response", 200, "application/json", `{"data":{}}`)

const (
	piece = `{"data":{"id":"`
	page  = "<html><title>Bad gateway</title></html>"
)

// Silence sends no response.
var Silence = Fault{
	Name:  "no response in time",
	http1: func(c *conn) { _, _ = c.in.WriteTo(io.Discard) },
	http2: func(*conn, uint32) {}, keeps: true,
}

// both lists the ways to lose a response in every protocol.
var both = []Fault{
	Respond("500", 500, "application/json", `{"data":null,"error":"boom"}`),
	Respond("502 in HTML", 502, "text/html", page),
	Respond("503", 503, "application/json", ""),
	Respond("504", 504, "application/json", ""),
	Respond("408", 408, "text/plain", ""),
	Respond("425", 425, "text/plain", ""),
	Respond("a success in HTML", 200, "text/html", page),
	Respond("a success in half a body", 200, "application/json", piece),
	Silence,
}

// lost1 lists further ways for HTTP/1.1.
var lost1 = []Fault{
	{Name: "reset at the first byte", early1: (*conn).reset},
	{Name: "close at the first byte", early1: func(*conn) {}},
	{Name: "reset after the head", headed1: (*conn).reset},
	{Name: "reset after the request", http1: (*conn).reset},
	{Name: "close after the request", http1: func(*conn) {}},
	{Name: "a status, then close", http1: func(c *conn) { c.write("HTTP/1.1 200 OK\r\n") }},
	{Name: "a head, then reset", http1: func(c *conn) {
		c.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n")
		c.reset()
	}},
	{Name: "a body cut short", http1: func(c *conn) { c.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n" + piece) }},
	{Name: "chunks cut short", http1: func(c *conn) {
		c.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"dat\r\n")
	}},
	{Name: "no HTTP", http1: func(c *conn) { c.write("\x00\x01\x02\x03 http: server closed idle connection\r\n\r\n") }},
}

// lost2 lists further ways for HTTP/2.
var lost2 = []Fault{
	resets("PROTOCOL_ERROR", codeProtocol), resets("INTERNAL_ERROR", codeInternal), resets("NO_ERROR", codeNone),
	resets("CANCEL", codeCancel), resets("STREAM_CLOSED", codeStreamClosed),
	resets("ENHANCE_YOUR_CALM", codeEnhanceYourCalm),
	resets("HTTP_1_1_REQUIRED", codeHTTP11Required),
	{Name: "RST_STREAM(PROTOCOL_ERROR) after HEADERS", keeps: true, headed2: func(c *conn, stream uint32) {
		c.resetStream(stream, codeProtocol)
	}},
	{Name: "a head, then RST_STREAM(REFUSED_STREAM)", keeps: true, http2: func(c *conn, stream uint32) {
		c.headers(stream, 200, "application/json")
		c.resetStream(stream, codeRefused)
	}},
	{Name: "a piece, then RST_STREAM(INTERNAL_ERROR)", keeps: true, http2: func(c *conn, stream uint32) {
		c.headers(stream, 200, "application/json")
		c.frame(frameData, 0, stream, piece)
		c.resetStream(stream, codeInternal)
	}},
	{Name: "reset after HEADERS", headed2: func(c *conn, _ uint32) { c.reset() }},
	{Name: "reset after the request", http2: func(c *conn, _ uint32) { c.reset() }},
	{Name: "close after the request", http2: func(*conn, uint32) {}},
	{Name: "GOAWAY up to this stream, then close", http2: func(c *conn, stream uint32) { c.goAway(stream, codeNone) }},
	{Name: "GOAWAY(ENHANCE_YOUR_CALM) up to this stream, then close", http2: func(c *conn, stream uint32) {
		c.goAway(stream, codeEnhanceYourCalm)
	}},
	{Name: "GOAWAY(PROTOCOL_ERROR) up to this stream, then reset", http2: func(c *conn, stream uint32) {
		c.goAway(stream, codeProtocol)
		c.reset()
	}},
	{Name: "GOAWAY that quotes a refusal, then close", http2: func(c *conn, stream uint32) {
		c.frame(frameGoAway, 0, 0, word(stream)+word(codeNone)+
			"stream error: stream ID 1; REFUSED_STREAM; received from peer")
	}},
}

// Lost returns the ways to lose a response after which the service may have processed the request.
func Lost(protocol Protocol) []Fault {
	if protocol == HTTP2 {
		return slices.Concat(lost2, both)
	}
	return slices.Concat(lost1, both)
}

// Unprocessed returns the ways of HTTP/2 to reject a request without processing it.
var Unprocessed = []Fault{
	resets("REFUSED_STREAM", codeRefused),
	{Name: "RST_STREAM(REFUSED_STREAM) after HEADERS", keeps: true, headed2: func(c *conn, stream uint32) {
		c.resetStream(stream, codeRefused)
	}},
	{Name: "GOAWAY below this stream", keeps: true,
		http2: func(c *conn, stream uint32) { c.goAway(below(stream), codeNone) }},
	{Name: "GOAWAY below this stream, after HEADERS", headed2: func(c *conn, stream uint32) {
		c.goAway(below(stream), codeNone)
	}},
	{Name: "GOAWAY(ENHANCE_YOUR_CALM) below this stream", keeps: true, http2: func(c *conn, stream uint32) {
		c.goAway(below(stream), codeEnhanceYourCalm)
	}},
}

func resets(name string, code uint32) Fault {
	return Fault{Name: "RST_STREAM(" + name + ")", keeps: true, http2: func(c *conn, stream uint32) {
		c.resetStream(stream, code)
	}}
}

// below is the stream of the client's previous request.
func below(stream uint32) uint32 { return max(stream, 2) - 2 }
