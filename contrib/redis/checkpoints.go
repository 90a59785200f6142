package fleetredis

import (
	"context"
	"crypto/rand"
	_ "embed"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/rpcfleet/rpcfleet-go"
)

// Checkpoints stores checkpoints of programs on several machines, as [rpcfleet.FileCheckpointStore] does for one. Use
// [NewCheckpoints] to create one for each program that follows.
//
// A checkpoint is saved atomically, and only if it replaces the version that this store loaded or saved last. If
// another program has saved since, Save returns an error that matches [ErrSuperseded]: a program that was believed dead
// cannot overwrite a newer checkpoint. It should stop, or load again and continue from there. A Save under a key that
// was never loaded replaces any version. Checkpoints do not expire.
type Checkpoints struct {
	client  redis.UniversalClient
	options CheckpointOptions
	writer  string

	mu     sync.Mutex
	number int64             // The number of the last Save.
	known  map[string]string // The version loaded or saved last, by key.
}

// CheckpointOptions configure [Checkpoints].
type CheckpointOptions struct {
	// Prefix is the first part of all keys, "rpcfleet" by default.
	Prefix string
	// Timeout bounds a command, [DefaultTimeout] by default.
	Timeout time.Duration
}

// ErrSuperseded is returned if another program has saved a newer checkpoint.
var ErrSuperseded = errors.New("fleetredis: another program has saved a checkpoint meanwhile")

var (
	_ rpcfleet.CheckpointStore = (*Checkpoints)(nil)

	//go:embed save.lua
	saveSource string
	saveScript = redis.NewScript(saveSource)
)

// NewCheckpoints returns a store.
func NewCheckpoints(client redis.UniversalClient, options CheckpointOptions) (*Checkpoints, error) {
	if client == nil {
		return nil, errors.New("fleetredis: the client must not be nil")
	}
	return &Checkpoints{client: client, options: options, writer: rand.Text(), known: make(map[string]string)}, nil
}

// stored is a checkpoint as it is stored.
type stored struct {
	Version    string              `redis:"version"`
	Checkpoint rpcfleet.Checkpoint `redis:"checkpoint"`
}

// Load returns the checkpoint that was saved last, or the zero checkpoint.
func (s *Checkpoints) Load(ctx context.Context, key string) (rpcfleet.Checkpoint, error) {
	if key == "" {
		return rpcfleet.Checkpoint{}, errEmptyKey
	}
	found, err := bounded(ctx, s.options.Timeout, func(ctx context.Context) (found stored, err error) {
		err = s.client.HMGet(ctx, s.key(key), "version", "checkpoint").Scan(&found)
		return found, err
	})
	if err != nil {
		return rpcfleet.Checkpoint{}, fmt.Errorf("fleetredis: loading the checkpoint %q: %w", key, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.known[key] = found.Version
	return found.Checkpoint, nil
}

// Save saves a checkpoint as a whole or not at all. If calls overlap, the one that began last wins.
func (s *Checkpoints) Save(ctx context.Context, key string, checkpoint rpcfleet.Checkpoint) error {
	if key == "" {
		return errEmptyKey
	}
	number, known := s.next(key)
	saved, err := bounded(ctx, s.options.Timeout, func(ctx context.Context) (bool, error) {
		return saveScript.Run(ctx, s.client, []string{s.key(key)}, s.writer, number, known, checkpoint.String()).Bool()
	})
	if err == nil && !saved {
		err = ErrSuperseded
	}
	if err != nil {
		return fmt.Errorf("fleetredis: saving the checkpoint %q: %w", key, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.known[key] = s.writer // Later versions are recognized by their writer.
	return nil
}

var errEmptyKey = errors.New("fleetredis: the key of a checkpoint must not be empty")

// next returns the number of the next Save and the version that it may replace, or "*" for any.
func (s *Checkpoints) next(key string) (number int64, known string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.number++
	known, found := s.known[key]
	if !found {
		known = "*"
	}
	return s.number, known
}

func (s *Checkpoints) key(key string) string { return keyOf(s.options.Prefix, "checkpoint", key) }
