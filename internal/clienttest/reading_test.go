package clienttest

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
)

// errorsInErrors is the body that took twice the time with every level: an error of another shape than any that is
// known, which was read again at every level.
func errorsInErrors(levels int) string {
	return strings.Repeat(`{"error":{"errors":[`, levels) + `{}` + strings.Repeat(`,1]}}`, levels)
}

func TestErrorsInErrors(t *testing.T) {
	for _, status := range []int{200, 400} {
		for _, levels := range []int{33, 34, 1000} { // Each level doubled the time.
			client, _ := scripted(t, says(status, errorsInErrors(levels)))
			_, err := get(client)
			var fault *rpcfleet.Error
			require.ErrorAs(t, err, &fault)
			assert.Equal(t, status, fault.StatusCode)
		}
	}
}

// lateTransport responses every request with a body, and does something before the body's end.
type lateTransport struct {
	body string
	do   func()
}

func (l *lateTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Body != nil {
		_ = req.Body.Close()
	}
	end := readerFunc(func([]byte) (int, error) { l.do(); return 0, io.EOF })
	return &http.Response{
		StatusCode: http.StatusOK, ProtoMajor: 1, ProtoMinor: 1, Header: http.Header{"Content-Type": {"application/json"}}, Request: req,
		ContentLength: -1, Body: io.NopCloser(io.MultiReader(strings.NewReader(l.body), end)),
	}, nil
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// A body that takes more than one pass to read is not read on when the time is over.
func TestReadingEndsWithTheTime(t *testing.T) {
	const repeated = `{"data":{"id":"ep1","id":"ep2"},"error":null}`
	synctest.Test(t, func(t *testing.T) {
		client, err := rpcfleet.New(
			rpcfleet.WithBaseURL("https://api.example.com"), rpcfleet.WithAPIKey(testKey), rpcfleet.WithoutRetries(),
			rpcfleet.WithTimeout(time.Second),
			rpcfleet.WithHTTPClient(&http.Client{Transport: &lateTransport{repeated, func() { time.Sleep(2 * time.Second) }}}),
		)
		require.NoError(t, err)
		_, err = get(client)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.ErrorIs(t, err, rpcfleet.ErrConnection)
		var unread *rpcfleet.DecodeError
		require.NotErrorAs(t, err, &unread)
		_, err = client.Graph.Collection(t.Context(), "ethereum", "0xa1")
		require.ErrorIs(t, err, context.DeadlineExceeded)
		_, err = rpcfleet.Do[note](t.Context(), client, made)
		require.ErrorIs(t, err, context.DeadlineExceeded)
	})
	ctx, cancel := context.WithCancel(t.Context())
	client, err := rpcfleet.New(
		rpcfleet.WithBaseURL("https://api.example.com"), rpcfleet.WithAPIKey(testKey), rpcfleet.WithoutRetries(),
		rpcfleet.WithHTTPClient(&http.Client{Transport: &lateTransport{repeated, cancel}}),
	)
	require.NoError(t, err)
	_, err = client.Endpoints.Get(ctx, "ep1")
	require.ErrorIs(t, err, context.Canceled)
	var fault *rpcfleet.Error
	require.ErrorAs(t, err, &fault)
}

// BenchmarkBombs reads responses of 60 MiB that arrive as some 60 KB, and prints what a call takes in memory and in
// time.
func BenchmarkBombs(b *testing.B) {
	const size = 60 << 20
	around := func(levels int, repeated string) string {
		return `{"data":{"id":"ep1","x":` + strings.Repeat(`{`+repeated+`"a":`, levels) +
			`"` + strings.Repeat("x", size) + `"` + strings.Repeat(`}`, levels) + `}}`
	}
	for name, body := range map[string]string{
		"1000 deep":                        around(1000, `"a":1,`),
		"98 deep, a name repeated in each": around(97, `"a":1,`),
		"98 deep, of another shape":        strings.Replace(around(97, ``), `"id":"ep1"`, `"id":[]`, 1),
		"a text of that size for a list":   `{"data":{"id":"ep1","security":{"tokens":"` + strings.Repeat("x", size) + `"}}}`,
		"an error of that size":            `{"error":"` + strings.Repeat("x", size) + `"}`,
	} {
		var packed bytes.Buffer
		writer := gzip.NewWriter(&packed)
		_, err := io.WriteString(writer, body)
		require.NoError(b, err)
		require.NoError(b, writer.Close())
		client, _ := scripted(b, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = w.Write(packed.Bytes())
		})
		b.Run(name, func(b *testing.B) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			for b.Loop() {
				_, _ = get(client)
			}
			runtime.ReadMemStats(&after)
			b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/float64(b.N)/(1<<20), "MiB/op")
			b.ReportMetric(float64(packed.Len())/(1<<10), "KiB-sent")
		})
	}
}
