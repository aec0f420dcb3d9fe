package lab

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// child returns a command that runs the program from a sealed file in memory, which has no name. The file is executable but
// not readable, so the kernel also hides the memory and descriptors of the process from other processes. This process is
// hidden in the same way.
func (p *built) child(ctx context.Context, user bool) (child *exec.Cmd, done func(), err error) {
	const flags = unix.MFD_CLOEXEC | unix.MFD_ALLOW_SEALING
	fd, err := unix.MemfdCreate(p.name, flags|unix.MFD_EXEC)
	if errors.Is(err, unix.EINVAL) { // before Linux 6.3
		fd, err = unix.MemfdCreate(p.name, flags)
	}
	if err != nil {
		return p.copied(ctx)
	}
	file := os.NewFile(uintptr(fd), p.name)
	_, err = file.Write(p.image)
	_, sealErr := unix.FcntlInt(uintptr(fd), unix.F_ADD_SEALS, unix.F_SEAL_WRITE|unix.F_SEAL_SHRINK|unix.F_SEAL_GROW|unix.F_SEAL_SEAL)
	err = errors.Join(err, sealErr, file.Chmod(0o111), unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0))

	child = exec.CommandContext(ctx, fmt.Sprintf("/proc/self/fd/%d", fd))
	child.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if user && os.Getuid() == 0 {
		id := 61184 + rand.Uint32N(4336) // the numbers that systemd keeps for passing users
		child.SysProcAttr.Credential = &syscall.Credential{Uid: id, Gid: id}
	}
	child.Cancel = func() error { return unix.Kill(-child.Process.Pid, unix.SIGKILL) }
	return child, func() {
		if child.Process != nil {
			_ = child.Cancel() // what it has started
		}
		file.Close()
	}, err
}
