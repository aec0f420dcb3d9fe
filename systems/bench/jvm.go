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

// jvmSource is a program that measures the real Netty and ScheduledThreadPoolExecutor.
//
//go:embed jvm/Facilities.java
var jvmSource string

// nettyJar is where Debian's libnetty-java puts the timer.
const nettyJar = "/usr/share/java/netty-common.jar"

// withoutJVM returns what the program needs and this machine lacks, or "".
func withoutJVM() string {
	if _, err := exec.LookPath("javac"); err != nil {
		return "no javac: on Debian, apt install openjdk-17-jdk-headless"
	}
	if _, err := os.Stat(nettyJar); err != nil {
		return "no Netty: on Debian, apt install libnetty-java"
	}
	return ""
}

// runJVM compiles and runs the program, and returns its output.
func runJVM(ctx context.Context, args ...string) (string, error) {
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
