package emulator

import (
	"fmt"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/snapshot"
)

// SaveSnapshot writes everything that the emulator remembers to a file: an emulator that restores it gives the same
// responses from then on, and makes the same ids. Options are not part of it, nor is the clock, nor which requests
// there were. The file holds the secrets of the emulator, and only its owner can read it. It has either all of the
// state or what was in it before, also where the machine stops meanwhile. What a save that was killed has left beside
// the file is removed by the next SaveSnapshot or RestoreSnapshot. One program at a time uses a file.
func (e *Emulator) SaveSnapshot(file string) error {
	if err := snapshot.Save(file, e.snapshot()); err != nil {
		return fmt.Errorf("emulator: the snapshot cannot be saved: %w", err)
	}
	return nil
}

// snapshot copies the state. It shares nothing with it that changes.
func (e *Emulator) snapshot() *snapshot.State {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.state.snapshot()
}

// RestoreSnapshot puts what SaveSnapshot has saved in the place of all that the emulator remembers. Where the file
// cannot be read, has another version or does not fit together, the error says so and nothing changes.
func (e *Emulator) RestoreSnapshot(file string) error {
	saved, err := snapshot.Load(file)
	if err != nil {
		return fmt.Errorf("emulator: the snapshot cannot be read: %w", err)
	}
	restored, err := restore(&e.settings, saved)
	if err != nil {
		return fmt.Errorf("emulator: the snapshot %s does not fit together: %w", file, err)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.state = restored
	return nil
}
