package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	azure "github.com/Azure/azure-sdk-for-go/sdk/azcore/runtime"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/lambda"
	"github.com/digitalocean/godo"
	"github.com/google/go-github/v88/github"
	"github.com/hashicorp/go-retryablehttp"
	"github.com/hetznercloud/hcloud-go/v2/hcloud"
	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/stripe/stripe-go/v85"
	"golang.org/x/oauth2"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
)

// key is the API key of every client.
const key = "made-up-key-0001"

// contestant is a client of a service, set up as its documentation shows, with its default retries. Only the address,
// the certificate and the request timeout are ours.
type contestant struct {
	name string
	// module is the module of which the version is printed.
	module string
	// record is the body of a success for both creates.
	record string
	// dial returns the client.
	dial func(address string, client *http.Client) (creates, error)
}

// create makes a create call and returns its error.
type create func(context.Context) error

// creates are two POST requests of a client that must not be sent twice.
type creates struct{ withBody, withoutBody create }

var contestants = []contestant{
	{"**rpcfleet**", "", `{"data":{"id":"ep-1"}}`, dialRPCFleet},
	{"net/http", "", `{"id":"1"}`, dialNetHTTP},
	{"aws-sdk-go-v2", "github.com/aws/aws-sdk-go-v2", `{}`, dialAWS},
	{"azcore", "github.com/Azure/azure-sdk-for-go/sdk/azcore", `{"id":"1"}`, dialAzure},
	{"stripe-go", "github.com/stripe/stripe-go/v85", `{"id":"1"}`, dialStripe},
	{"openai-go", "github.com/openai/openai-go/v3", `{"id":"1"}`, dialOpenAI},
	{"hcloud-go", "github.com/hetznercloud/hcloud-go/v2", `{"ssh_key":{"id":1},"action":{"id":1}}`, dialHcloud},
	{"godo", "github.com/digitalocean/godo", `{"tag":{"name":"one"}}`, dialGodo},
	{"go-retryablehttp under go-github", "github.com/google/go-github/v88", `{"id":1,"token":"made-up"}`, dialGitHub},
}

func dialRPCFleet(address string, client *http.Client) (creates, error) {
	c, err := rpcfleet.New(rpcfleet.WithBaseURL(address), rpcfleet.WithAPIKey(key), rpcfleet.WithHTTPClient(client))
	return creates{
		func(ctx context.Context) error {
			_, err := c.Endpoints.Create(ctx, admin.CreateEndpointRequest{Chain: "eth", Network: "mainnet"})
			return err
		},
		func(ctx context.Context) error {
			_, err := c.Security.CreateToken(ctx, "ep-1")
			return err
		},
	}, err
}

func dialNetHTTP(address string, client *http.Client) (creates, error) {
	post := func(ctx context.Context, body io.Reader) error {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, address+"/things", body)
		if err != nil {
			return err
		}
		res, err := client.Do(req)
		if err != nil {
			return err
		}
		defer func() { _ = res.Body.Close() }()
		if res.StatusCode != http.StatusOK {
			return fmt.Errorf("status %d", res.StatusCode)
		}
		return json.NewDecoder(res.Body).Decode(new(thing))
	}
	return creates{
		func(ctx context.Context) error { return post(ctx, bytes.NewReader([]byte(`{"name":"one"}`))) },
		func(ctx context.Context) error { return post(ctx, nil) },
	}, nil
}

// thing is the record of clients without records of their own.
type thing struct {
	ID   string `json:"id,omitempty"`
	Name string `json:"name,omitempty"`
}

func dialAWS(address string, client *http.Client) (creates, error) {
	c := lambda.New(lambda.Options{
		Region: "us-east-1", BaseEndpoint: aws.String(address), HTTPClient: client,
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: key, SecretAccessKey: key}, nil
		}),
	})
	return creates{
		func(ctx context.Context) error {
			_, err := c.PublishVersion(ctx, &lambda.PublishVersionInput{FunctionName: aws.String("one")})
			return err
		},
		func(ctx context.Context) error {
			_, err := c.Invoke(ctx, &lambda.InvokeInput{FunctionName: aws.String("one")})
			return err
		},
	}, nil
}

func dialAzure(address string, client *http.Client) (creates, error) {
	pipeline := azure.NewPipeline("twice", "v1.0.0", azure.PipelineOptions{}, &policy.ClientOptions{Transport: client})
	post := func(ctx context.Context, body any) error {
		req, err := azure.NewRequest(ctx, http.MethodPost, address+"/things")
		if err != nil {
			return err
		}
		if body != nil {
			if err := azure.MarshalAsJSON(req, body); err != nil {
				return err
			}
		}
		res, err := pipeline.Do(req)
		if err != nil {
			return err
		}
		defer func() { _ = res.Body.Close() }()
		if !azure.HasStatusCode(res, http.StatusOK) {
			return azure.NewResponseError(res)
		}
		return azure.UnmarshalAsJSON(res, new(thing))
	}
	return creates{
		func(ctx context.Context) error { return post(ctx, thing{Name: "one"}) },
		func(ctx context.Context) error { return post(ctx, nil) },
	}, nil
}

func dialStripe(address string, client *http.Client) (creates, error) {
	c := stripe.NewClient(key, stripe.WithBackends(stripe.NewBackendsWithConfig(&stripe.BackendConfig{
		URL: stripe.String(address), HTTPClient: client, LeveledLogger: &stripe.LeveledLogger{Level: stripe.LevelNull},
	})))
	return creates{
		func(ctx context.Context) error {
			_, err := c.V1Customers.Create(ctx, &stripe.CustomerCreateParams{Name: stripe.String("one")})
			return err
		},
		func(ctx context.Context) error {
			_, err := c.V1PaymentIntents.Capture(ctx, "pi_1", nil)
			return err
		},
	}, nil
}

func dialOpenAI(address string, client *http.Client) (creates, error) {
	c := openai.NewClient(option.WithBaseURL(address), option.WithAPIKey(key), option.WithHTTPClient(client))
	return creates{
		func(ctx context.Context) error {
			_, err := c.VectorStores.New(ctx, openai.VectorStoreNewParams{Name: openai.String("one")})
			return err
		},
		func(ctx context.Context) error {
			_, err := c.FineTuning.Jobs.Cancel(ctx, "job-1")
			return err
		},
	}, nil
}

func dialHcloud(address string, client *http.Client) (creates, error) {
	c := hcloud.NewClient(hcloud.WithEndpoint(address), hcloud.WithToken(key), hcloud.WithHTTPClient(client))
	return creates{
		func(ctx context.Context) error {
			_, _, err := c.SSHKey.Create(ctx, hcloud.SSHKeyCreateOpts{Name: "one", PublicKey: "made-up"})
			return err
		},
		func(ctx context.Context) error {
			_, _, err := c.Server.Reboot(ctx, &hcloud.Server{ID: 1})
			return err
		},
	}, nil
}

func dialGodo(address string, client *http.Client) (creates, error) {
	c := godo.NewFromToken(key)
	var err error
	if c.BaseURL, err = url.Parse(address + "/"); err != nil {
		return creates{}, err
	}
	// The HTTP client below its retries cannot be set and would not trust the server.
	c.HTTPClient.Transport.(*oauth2.Transport).Base.(*retryablehttp.RoundTripper).Client.HTTPClient = client
	return creates{
		func(ctx context.Context) error {
			_, _, err := c.Tags.Create(ctx, &godo.TagCreateRequest{Name: "one"})
			return err
		},
		func(ctx context.Context) error {
			_, _, err := c.PartnerAttachment.RegenerateServiceKey(ctx, "one")
			return err
		},
	}, nil
}

func dialGitHub(address string, client *http.Client) (creates, error) {
	retries := retryablehttp.NewClient()
	retries.HTTPClient, retries.Logger = client, nil
	c, err := github.NewClient(
		github.WithHTTPClient(retries.StandardClient()), github.WithAuthToken(key),
		github.WithEnterpriseURLs(address, address),
	)
	return creates{
		func(ctx context.Context) error {
			_, _, err := c.Issues.Create(ctx, "owner", "one", &github.IssueRequest{Title: github.Ptr("one")})
			return err
		},
		func(ctx context.Context) error {
			_, _, err := c.Actions.CreateRegistrationToken(ctx, "owner", "one")
			return err
		},
	}, err
}
