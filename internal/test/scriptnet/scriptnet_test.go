package scriptnet_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/test/scriptnet"
)

// get returns the status of a response, and its body as far as it came.
func get(t *testing.T, client *http.Client, url string) (int, string, error) {
	t.Helper()
	resp, err := client.Get(url)
	if err != nil {
		return 0, "", err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return resp.StatusCode, string(body), err
}

func TestServe_playsInOrderAndRepeatsLast(t *testing.T) {
	echo := func(w http.ResponseWriter, r *http.Request) { _, _ = io.Copy(w, r.Body) }
	server := scriptnet.Serve(t, echo, scriptnet.JSON(404, `{}`))
	resp, err := http.Post(server.URL+"/a%2Fb?x=y", "text/plain", strings.NewReader("text"))
	require.NoError(t, err)
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	assert.Equal(t, "text", string(text), "a line can read the body")
	for range 2 {
		status, body, err := get(t, http.DefaultClient, server.URL)
		require.NoError(t, err)
		assert.Equal(t, 404, status)
		assert.Equal(t, `{}`, body)
	}
	server.Play(scriptnet.JSON(201, `[]`))
	status, _, err := get(t, http.DefaultClient, server.URL)
	require.NoError(t, err)
	assert.Equal(t, 201, status)

	seen := server.Requests()
	require.Len(t, seen, 4)
	assert.Equal(t, []string{"POST", "/a%2Fb", "x=y", "text"},
		[]string{seen[0].Method, seen[0].Path, seen[0].Query, seen[0].Body})
	assert.Equal(t, []string{"text/plain"}, server.Headers("Content-Type"))
}

func TestServe_playsFailures(t *testing.T) {
	server := scriptnet.Serve(t,
		scriptnet.CutShort, scriptnet.Redirect("/there"), scriptnet.JSON(200, `{}`), scriptnet.Raw("no HTTP"),
		scriptnet.HangUp)
	client := server.Client()
	status, body, err := get(t, client, server.URL)
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	assert.Equal(t, 200, status)
	assert.NotEmpty(t, body)

	_, _, err = get(t, client, server.URL)
	require.NoError(t, err)
	assert.Equal(t, "/there", server.Requests()[2].Path)
	_, _, err = get(t, client, server.URL)
	require.ErrorContains(t, err, "malformed")
	_, _, err = get(t, client, server.URL)
	require.ErrorIs(t, err, io.EOF)
}
