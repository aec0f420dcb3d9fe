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
//   - Its descriptors: three pipes. The key and the task are read before the student's code runs. The grading reads at most
//     a megabyte of records and keeps the end of the output. It closes the pipes a second after the process ends, even if
//     another process has them open.
//   - Other processes. What it starts ends with it, unless it opens a session of its own. Such a process takes time and
//     memory, but the next stage has another key.
//   - If the grading runs as root on Linux: nothing else. The process has a user of its own, which has no files and cannot
//     signal other processes. Otherwise it has your rights: it can kill the grading, so that there is no result, and can
//     write your files, such as the results or Go's cache. On Linux it cannot read the grading's memory or descriptors.
//   - The suite, which runs in the same process. Code that reads memory finds the key. Module.build refuses the imports that
//     make this easy, and on Linux the process cannot open its own memory; a data race can still read it. A scheme can
//     also recognize a check and behave well only then.
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
