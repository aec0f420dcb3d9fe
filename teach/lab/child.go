package lab

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// run runs the program in a process of its own and waits for it, for a second longer than the context allows.
func (p *built) run(ctx context.Context, input string, records, output io.Writer) (*os.ProcessState, error) {
	for user := true; ; user = false {
		child, done, err := p.child(ctx, user)
		if err != nil {
			return nil, err
		}
		child.Args, child.Dir, child.Env = []string{p.name}, string(filepath.Separator), []string{}
		child.Stdin, child.Stdout, child.Stderr = strings.NewReader(input), records, output
		child.WaitDelay = time.Second
		err = child.Run()
		done()
		if child.Process != nil || !user || !errors.Is(err, fs.ErrPermission) {
			return child.ProcessState, err
		}
	}
}

// copied is a child from a copy of the program in a new folder.
func (p *built) copied(ctx context.Context) (child *exec.Cmd, done func(), err error) {
	dir, err := os.MkdirTemp("", "lab")
	if err != nil {
		return nil, nil, err
	}
	path := filepath.Join(dir, p.name+".exe")
	return exec.CommandContext(ctx, path), func() { os.RemoveAll(dir) }, os.WriteFile(path, p.image, 0o500)
}
