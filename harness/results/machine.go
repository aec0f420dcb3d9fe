package results

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
)

// Machine is what a result depends on besides the code: keys and values, in the order in which they are written.
type Machine [][2]string

// String returns a line for each key, as they are at the head of a raw file.
func (m Machine) String() (text string) {
	for _, kv := range m {
		text += kv[0] + ": " + kv[1] + "\n"
	}
	return text
}

// Get returns the value of a key, or "".
func (m Machine) Get(key string) string {
	for _, kv := range m {
		if kv[0] == key {
			return kv[1]
		}
	}
	return ""
}

const procsKey = "gomaxprocs"

// ThisMachine describes the machine and the build. A value that the system does not provide is "unknown".
func ThisMachine() Machine {
	return Machine{
		{"goos", runtime.GOOS},
		{"goarch", runtime.GOARCH},
		{"cpu", cpuinfo("model name")},
		{"cpuid", cpuID()},
		{"cores", fmt.Sprint(runtime.NumCPU())},
		{procsKey, fmt.Sprint(runtime.GOMAXPROCS(0))},
		{"caches", caches()},
		{"governor", firstLine("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")},
		{"thp", firstLine("/sys/kernel/mm/transparent_hugepage/enabled")},
		{"kernel", firstLine("/proc/sys/kernel/osrelease")},
		{"go", runtime.Version()},
		{"commit", commit()},
		{"layout", layout()},
	}
}

// layout returns the linker's seed for the order of functions in this program; "0": its own order.
func layout() string {
	seed := ""
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "-ldflags" {
				_, seed, _ = strings.Cut(s.Value, "-randlayout=")
			}
		}
	}
	return cmp.Or(strings.Trim(seed, `"`), "0")
}

func firstLine(path string) string {
	data, err := os.ReadFile(path)
	if err != nil {
		return "unknown"
	}
	line, _, _ := strings.Cut(string(data), "\n")
	return strings.TrimSpace(line)
}

// cpuinfo returns the first processor's value of a key.
func cpuinfo(key string) string {
	data, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(data)) {
		if k, v, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(k) == key {
			return strings.TrimSpace(v)
		}
	}
	return "unknown"
}

// cpuID returns the numbers that identify the processor. Guests of a cloud often see one
// name for several generations of processors.
func cpuID() string {
	var parts []string
	for _, key := range []string{"cpu family", "model", "stepping", "CPU implementer", "CPU part", "CPU revision"} {
		if v := cpuinfo(key); v != "unknown" {
			parts = append(parts, strings.TrimPrefix(strings.TrimPrefix(key, "cpu "), "CPU ")+" "+v)
		}
	}
	return cmp.Or(strings.Join(parts, ", "), "unknown")
}

// caches describes the data caches of the first processor, level by level.
func caches() string {
	var sizes []string
	indexes, _ := filepath.Glob("/sys/devices/system/cpu/cpu0/cache/index*")
	for _, index := range indexes {
		property := func(name string) string { return firstLine(filepath.Join(index, name)) }
		if property("type") != "Instruction" {
			sizes = append(sizes, "L"+property("level")+" "+property("size"))
		}
	}
	return cmp.Or(strings.Join(sizes, ", "), "unknown")
}

// commit returns the revision of the surrounding tree if it is this module's, marked if code has changed since. What
// was measured is identified by its Code.
func commit() string {
	root := git("rev-parse", "--show-toplevel")
	if root == "" || firstLine(filepath.Join(root, "go.mod")) != "module timerlab" {
		return "unknown"
	}
	revision := git("rev-parse", "--short=12", "HEAD")
	if git("status", "--porcelain", "--untracked-files=no", "--", ":/*.go", ":/go.mod", ":/go.sum") != "" {
		revision += "+changes"
	}
	return cmp.Or(revision, "unknown")
}

func git(args ...string) string {
	out, err := exec.Command("git", args...).Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}
