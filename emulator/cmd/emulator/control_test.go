package main

import (
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestControl injects a fault as a program in any language does, with the line that the program prints, meets it, and
// sees its request in the list of calls.
func TestControl(t *testing.T) {
	p := launch(t, "-quiet")
	const key = `curl -H 'x-api-key: emulator-admin-key' `
	line := regexp.MustCompile(`(?m)^curl .*/_emulator/faults$`).FindString(p.output.String())
	require.NotEmpty(t, line, "it is printed")
	status, injected := curl(t, line)
	require.Equal(t, http.StatusCreated, status, injected)

	endpoints := key + p.address + "/v0/endpoints"
	status, _ = curl(t, endpoints)
	assert.Equal(t, http.StatusTooManyRequests, status)
	status, _ = curl(t, endpoints)
	assert.Equal(t, http.StatusOK, status, "once")

	status, faults := curl(t, key+p.address+"/_emulator/faults")
	assert.Equal(t, http.StatusOK, status)
	assert.Contains(t, faults, `"fired":1`)
	status, text := curl(t, key+p.address+"/_emulator/calls?operation=listEndpoints")
	assert.Equal(t, http.StatusOK, status)
	var calls struct {
		Data []struct {
			Operation, Path string
			Status          int
			CarriedOut      bool
		}
	}
	require.NoError(t, json.Unmarshal([]byte(text), &calls), text)
	require.Len(t, calls.Data, 2)
	assert.Equal(t, []int{429, 200}, []int{calls.Data[0].Status, calls.Data[1].Status})
	assert.Equal(t, []bool{false, true}, []bool{calls.Data[0].CarriedOut, calls.Data[1].CarriedOut})
	assert.Equal(t, "/v0/endpoints", calls.Data[1].Path)
	assert.NotContains(t, text, "emulator-admin-key")

	status, _ = curl(t, "curl -d '{}' "+p.address+"/_emulator/faults")
	assert.Equal(t, http.StatusUnauthorized, status, "without the key")
	status, refusal := curl(t, strings.Replace(line, `"times"`, `"tmes"`, 1))
	assert.Equal(t, http.StatusBadRequest, status)
	assert.Contains(t, refusal, "tmes")
	assert.Equal(t, 0, p.end(syscall.SIGTERM), p.output.String())
}

// TestControlIsForTheHostsThatWereNamed: if a page's host name leads here, the page reaches nothing with the printed
// key.
func TestControlIsForTheHostsThatWereNamed(t *testing.T) {
	p := launch(t, "-quiet", "-host", "emulator", "-host", "ci.example")
	for host, want := range map[string]int{
		"attacker.example": http.StatusMisdirectedRequest, "emulator:8080": http.StatusOK, "CI.example": http.StatusOK,
		"localhost": http.StatusOK,
	} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.address+"/_emulator/calls", nil)
		require.NoError(t, err)
		request.Host = host
		request.Header.Set("X-Api-Key", "emulator-admin-key")
		response, err := http.DefaultClient.Do(request)
		require.NoError(t, err)
		text, err := io.ReadAll(response.Body)
		require.NoError(t, err)
		_ = response.Body.Close()
		assert.Equal(t, want, response.StatusCode, host)
		assert.Equal(t, want != http.StatusOK, strings.Contains(string(text), "-host"), string(text))
	}
	assert.Equal(t, 0, p.end(syscall.SIGTERM), p.output.String())
}
