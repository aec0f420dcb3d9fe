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

// Build calls a verb of go in a folder to build a program, and returns its path. The program stays in the user's cache,
// so that the next call takes a fraction of a second.
func Build(ctx context.Context, dir, name, verb string, args ...string) (path string, err error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	cache = filepath.Join(cache, "timerlab", fmt.Sprintf("%x", sha256.Sum256([]byte(dir)))[:8])
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return "", err
	}
	path = filepath.Join(cache, name)
	made := fmt.Sprintf("%s.%d", path, os.Getpid()) // several processes may build at once
	defer os.Remove(made)
	_ = os.Link(path, made) // which go leaves as it is if nothing has changed
	cmd := exec.CommandContext(ctx, "go", verb, "-o", made)
	cmd.Dir, cmd.Env = dir, os.Environ()
	if info, ok := debug.ReadBuildInfo(); ok { // otherwise build with this program's own settings
		for _, s := range info.Settings {
			switch {
			case strings.HasPrefix(s.Key, "-") && s.Key != "-ldflags":
				cmd.Args = append(cmd.Args, s.Key+"="+s.Value)
			case s.Key == strings.ToUpper(s.Key):
				cmd.Env = append(cmd.Env, s.Key+"="+s.Value)
			}
		}
	}
	cmd.Args = append(cmd.Args, args...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", errors.Join(ctx.Err(), err), lastLine(out))
	}
	return path, os.Rename(made, path)
}

// peersDir is the folder of the nested module of the peers, which only a checkout has.
var peersDir = filepath.Join("harness", "peers")

// Repository returns the root of the repository around the working directory.
func Repository() (root string, err error) {
	root, err = os.Getwd()
	for ; err == nil; root = filepath.Dir(root) {
		if _, missing := os.Stat(filepath.Join(root, peersDir, "go.mod")); missing == nil {
			return root, nil
		}
		if root == filepath.Dir(root) {
			err = errors.New("the working directory is not in the repository: no harness/peers/go.mod in a folder around it")
		}
	}
	return "", err
}
