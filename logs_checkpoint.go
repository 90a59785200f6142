package rpcfleet

import "context"

// Checkpoint is a place in the logs that [LogsService.Follow] reads, to go on from: see [FollowOptions.Checkpoint]. The
// zero Checkpoint is the beginning. [FollowedEntry.Checkpoint] and [FollowError] make others.
//
// It is stored as a text, by MarshalText or as a JSON string: one word of ASCII letters, digits, "-", "_" and ":". The
// text holds the ids of the endpoints, times, cursors, hashes of the entries that another page can bring again, and the
// note; no credentials, no address, and nothing of what the entries say. An endpoint takes some 80 bytes and the length
// of its cursor, an entry that is remembered 11, and each second with such entries 4. Those are the entries of the last
// [FollowOptions.LateWindow], of the interval before the present reading and of one page: of a log of 10 calls a second
// with the default options, 300 to 600 entries, or 5 to 9 KB; at most [FollowOptions.MaxRemembered]. A program with
// many entries saves a checkpoint now and then rather than after each.
//
// Saving a checkpoint after an entry is processed means that no entry is left out. After a crash between the two, the
// entries behind the last checkpoint come again. A program in whose output every entry is to be once, whenever it is
// killed, makes the output and the checkpoint one:
//
//   - With a database, it writes both in one transaction.
//   - With a file, it stores the length of the output in the note, and cuts the output to that length when it begins:
//     the entries behind it come again. Where the machine itself may fail, [os.File.Sync] of the output comes before
//     the saving. The example of Follow is such a program.
//   - Elsewhere, it writes entries under their request id, so that writing one twice changes nothing.
type Checkpoint struct {
	// Note is the program's own, such as the length of its output. It is stored with the place. The checkpoints of
	// Follow come without one.
	Note string

	places []place
}

// IsZero reports whether it is the beginning, without a note.
func (c Checkpoint) IsZero() bool { return c.Note == "" && len(c.places) == 0 }

// CheckpointStore keeps checkpoints. [FileCheckpoints] is one.
type CheckpointStore interface {
	// Load returns the checkpoint that was saved last under a key, or the zero Checkpoint where none was. One that
	// cannot be read is an error, and not the zero Checkpoint.
	Load(ctx context.Context, key string) (Checkpoint, error)
	// Save keeps a checkpoint in the place of the one before. Whatever interrupts it, Load returns one of the two.
	Save(ctx context.Context, key string, checkpoint Checkpoint) error
}
