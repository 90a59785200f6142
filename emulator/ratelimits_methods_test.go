package emulator_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestMethodRateLimitsOfNoEndpoint: the contract has an empty result with the status 404 here, and no error.
func TestMethodRateLimitsOfNoEndpoint(t *testing.T) {
	got := startService(t).get("/v0/endpoints/unknown/method-rate-limits")
	assert.Equal(t, http.StatusNotFound, got.status)
	assert.JSONEq(t, `{"data": {"rate_limiters": []}, "error": null}`, string(got.body))
}
