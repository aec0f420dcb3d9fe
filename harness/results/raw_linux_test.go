package results

import (
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A disk that is full at the start leaves no file, which a job would continue for ever.
func TestADiskThatIsFullAtTheStart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "raw.txt")
	var limit syscall.Rlimit
	require.NoError(t, syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit))
	signal.Ignore(syscall.SIGXFSZ)
	require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 7, Max: limit.Max}))
	_, err := CreateRaw(path, nil, Shard{}, "run")
	require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit))
	signal.Reset(syscall.SIGXFSZ)
	assert.ErrorIs(t, err, syscall.EFBIG)
	assert.NoFileExists(t, path)
}
