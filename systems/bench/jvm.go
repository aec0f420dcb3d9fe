package bench

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// The program for the JVM: the real Netty and ScheduledThreadPoolExecutor on the same work.
//
//go:embed jvm/Facilities.java
var jvmSource string

// nettyJar is where Debian's libnetty-java puts the timer.
const nettyJar = "/usr/share/java/netty-common.jar"

// JVMNames returns the cells that the program measures.
func JVMNames() (names []string) {
	for _, facility := range []string{"jvm-netty", "jvm-netty-1ms", "jvm-pool"} {
		for _, work := range []string{"StartStop", "Replace"} {
			for _, n := range Sizes {
				for _, g := range Goroutines {
					names = append(names, Cell{work, facility, n, fmt.Sprintf("/g=%d", g), 0}.Name())
				}
			}
		}
		names = append(names, Cell{"Late", facility, LateTimers, "/load=idle", 0}.Name())
	}
	return names
}

// WithoutJVM returns what the program for the JVM lacks here, or "".
func WithoutJVM() string {
	if _, err := exec.LookPath("javac"); err != nil {
		return "no javac: on Debian, apt install openjdk-17-jdk-headless"
	}
	if _, err := os.Stat(nettyJar); err != nil {
		return "no Netty: on Debian, apt install libnetty-java"
	}
	return ""
}

// RunJVM compiles the program, runs it, and returns what it printed.
func RunJVM(ctx context.Context, args ...string) (string, error) {
	dir, err := os.MkdirTemp("", "facilities")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	source := filepath.Join(dir, "Facilities.java")
	if err := os.WriteFile(source, []byte(jvmSource), 0o644); err != nil {
		return "", err
	}
	if _, err := output(ctx, "javac", "-Xlint:all", "-Werror", "-cp", nettyJar, "-d", dir, source); err != nil {
		return "", err
	}
	return output(ctx, "java", append([]string{"-cp", nettyJar + ":" + dir, "Facilities"}, args...)...)
}

func output(ctx context.Context, name string, args ...string) (string, error) {
	var stderr strings.Builder
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w: %s", name, err, &stderr)
	}
	return string(out), nil
}
