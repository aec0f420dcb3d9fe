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

// run runs the program in a process of its own and waits for it, for a second longer than the context allows. What the
// student's code there can reach, and what follows from it:
//
//   - The program. It is a sealed file in memory without a name, so there is nothing to replace, to remove or to write.
//     Elsewhere than on Linux it is a copy for this stage alone, which a process left by an earlier stage could find.
//   - Its descriptors: three pipes. The key and the task are read before the student's code runs. A megabyte of records
//     is read, and the end of what is printed is kept. All are closed a second after the process ends, whoever holds them.
//   - Other processes. What it starts ends with it, unless it opens a session of its own. Such a process takes time and
//     memory, but the next stage has another key.
//   - If you are root on Linux, and may be others, nothing else: it is a user of its own, who has no files and cannot
//     signal your processes.
//     Otherwise it is you. It can kill the grading, which then has no result, and write your files, such as the result's or Go's
//     cache. On Linux it cannot read the grading's memory and descriptors.
//   - The suite, with which it shares the process. Code that reads the memory finds the key: refused leaves data races
//     for that, and on Linux the process cannot open its own memory. A scheme that recognizes a check may be a good one meanwhile.
//   - Disks, the network, processes and memory outside Go's heap, without limit.
//
// So this is not a sandbox: a container is one.
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
