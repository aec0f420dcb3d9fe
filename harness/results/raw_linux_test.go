package results

import (
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A disk that is full at the start leaves no file, which a job would continue for ever. The limit is for all files of a
// process, so the test is one of its own: go test also writes a log of it.
func TestADiskThatIsFullAtTheStart(t *testing.T) {
	if os.Getenv("TIMERLAB_FULL_DISK") == "" {
		child := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
		child.Env = append(os.Environ(), "TIMERLAB_FULL_DISK=1")
		out, err := child.CombinedOutput()
		require.NoError(t, err, string(out))
		return
	}
	path := filepath.Join(t.TempDir(), "raw.txt")
	var limit syscall.Rlimit
	require.NoError(t, syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit))
	signal.Ignore(syscall.SIGXFSZ)
	require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 7, Max: limit.Max}))
	_, err := CreateRaw(path, nil, Shard{}, "run")
	require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit))
	assert.ErrorIs(t, err, syscall.EFBIG)
	assert.NoFileExists(t, path)
}
