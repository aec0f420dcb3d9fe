package run

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
)

// A layout is a build of a program in which the linker put the functions into another order. Which of them share
// a set of a cache, or a line, changes times by some percent, so samples of one layout have too narrow an interval.

// BuildLayout builds a program of the repository with the linker's seed and returns its path. The program stays in
// the user's cache, so that the next call takes a fraction of a second.
func BuildLayout(ctx context.Context, repository, program string, seed int) (path string, err error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(cache, "timerlab", fmt.Sprintf("%x", sha256.Sum256([]byte(repository)))[:8])
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	path = filepath.Join(dir, fmt.Sprintf("%s-layout-%d", filepath.Base(program), seed))
	made := fmt.Sprintf("%s.%d", path, os.Getpid()) // several processes may build at once
	defer os.Remove(made)
	_ = os.Link(path, made) // which go build leaves as it is if nothing has changed
	build := exec.CommandContext(ctx, "go", "build", "-buildvcs=false", "-o", made)
	build.Dir, build.Env = repository, os.Environ()
	if info, ok := debug.ReadBuildInfo(); ok { // in all else the builds are as this program
		for _, s := range info.Settings {
			switch {
			case strings.HasPrefix(s.Key, "-") && s.Key != "-ldflags":
				build.Args = append(build.Args, s.Key+"="+s.Value)
			case s.Key == strings.ToUpper(s.Key):
				build.Env = append(build.Env, s.Key+"="+s.Value)
			}
		}
	}
	build.Args = append(build.Args, fmt.Sprintf("-ldflags=-s -w -randlayout=%d", seed), program)
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", errors.Join(ctx.Err(), err), lastLine(out))
	}
	return path, os.Rename(made, path)
}
