package faultnet

import (
	"encoding/binary"
	"io"
	"strconv"
)

// The frames and flags of RFC 9113 in use.
const (
	frameData     = 0x0
	frameHeaders  = 0x1
	frameReset    = 0x3
	frameSettings = 0x4
	framePing     = 0x6
	frameGoAway   = 0x7

	flagEndStream  = 0x1
	flagAck        = 0x1
	flagEndHeaders = 0x4
)

// The error codes of RFC 9113.
const (
	codeNone            = 0x0
	codeProtocol        = 0x1
	codeInternal        = 0x2
	codeStreamClosed    = 0x5
	codeRefused         = 0x7
	codeCancel          = 0x8
	codeEnhanceYourCalm = 0xb
	codeHTTP11Required  = 0xd
)

const preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

// serve2 serves HTTP/2 until a fault or the peer ends the connection. It does not decode headers.
func (c *conn) serve2() {
	if _, err := c.in.Discard(len(preface)); err != nil {
		return
	}
	c.frame(frameSettings, 0, 0, "")
	open := map[uint32]Fault{} // The faults of requests in progress.
	for {
		var header [9]byte
		if _, err := io.ReadFull(c.in, header[:]); err != nil {
			return
		}
		payload := make([]byte, int(header[0])<<16|int(header[1])<<8|int(header[2]))
		if _, err := io.ReadFull(c.in, payload); err != nil {
			return
		}
		kind, flags, stream := header[3], header[4], binary.BigEndian.Uint32(header[5:])
		ends := flags&flagEndStream != 0
		switch kind {
		case frameSettings:
			if flags&flagAck == 0 {
				c.frame(frameSettings, flagAck, 0, "")
			}
		case framePing:
			if flags&flagAck == 0 {
				c.frame(framePing, flagAck, 0, string(payload))
			}
		case frameHeaders:
			fault := c.server.arrived()
			if ends {
				c.server.ended()
			}
			if fault.headed2 != nil {
				if fault.headed2(c, stream); !fault.keeps {
					return
				}
				continue
			}
			open[stream] = fault
			if ends && !c.complete(open, stream) {
				return
			}
		case frameData:
			if _, is := open[stream]; is && ends {
				c.server.ended()
				if !c.complete(open, stream) {
					return
				}
			}
		}
	}
}

// complete plays the fault of a complete request, and reports whether the connection stays open.
func (c *conn) complete(open map[uint32]Fault, stream uint32) bool {
	fault := open[stream]
	delete(open, stream)
	fault.http2(c, stream)
	return fault.keeps
}

// frame writes a frame.
func (c *conn) frame(kind, flags byte, stream uint32, payload string) {
	header := []byte{byte(len(payload) >> 16), byte(len(payload) >> 8), byte(len(payload)), kind, flags}
	c.write(string(binary.BigEndian.AppendUint32(header, stream)) + payload)
}

// respond2 writes a response. Its header fields are in HPACK's static table.
func (c *conn) respond2(stream uint32, status int, contentType, body string) {
	c.headers(stream, status, contentType)
	c.frame(frameData, flagEndStream, stream, body)
}

func (c *conn) headers(stream uint32, status int, contentType string) {
	const nameStatus, nameContentType = "\x08", "\x0f\x10"
	fields := nameStatus + "\x03" + strconv.Itoa(status) + nameContentType + string(rune(len(contentType))) + contentType
	c.frame(frameHeaders, flagEndHeaders, stream, fields)
}

// resetStream writes RST_STREAM.
func (c *conn) resetStream(stream, code uint32) { c.frame(frameReset, 0, stream, word(code)) }

// goAway writes GOAWAY: streams above last were not processed.
func (c *conn) goAway(last, code uint32) { c.frame(frameGoAway, 0, 0, word(last)+word(code)) }

func word(n uint32) string { return string(binary.BigEndian.AppendUint32(nil, n)) }
