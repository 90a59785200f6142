package faultnet

import (
	"bytes"
	"net"
	"sync"
)

// roomy is the server's end of a pipe with buffered writes, like a socket: in HTTP/2 both sides write before they read.
type roomy struct {
	net.Conn

	written chan []byte
	done    chan struct{}
	once    sync.Once
}

func newRoomy(pipe net.Conn) *roomy {
	r := &roomy{Conn: pipe, written: make(chan []byte, 64), done: make(chan struct{})}
	go func() {
		for {
			select {
			case b := <-r.written:
				_, _ = pipe.Write(b) // An error shows on the next read.
			case <-r.done:
				return
			}
		}
	}()
	return r
}

func (r *roomy) Write(b []byte) (int, error) {
	select {
	case r.written <- bytes.Clone(b):
		return len(b), nil
	case <-r.done:
		return 0, net.ErrClosed
	}
}

// Close drops unread data.
func (r *roomy) Close() error {
	r.once.Do(func() { close(r.done) })
	return r.Conn.Close()
}
