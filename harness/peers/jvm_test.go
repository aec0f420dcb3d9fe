package peers

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// nettyJar is where Debian's libnetty-java puts the timer.
const nettyJar = "/usr/share/java/netty-common.jar"

var jvmLine = regexp.MustCompile(`^Benchmark(PairHot|PairCold|Hold)/scheme=(netty-hashedwheel|netty-hashedwheel-tuned|jdk-scheduledpool)/n=2k/T=1[kM] \d+ \d+\.\d ns/op( \d+\.\d expiries-%)?$`)

// The program for the JVM compiles and prints a line of the Go benchmark format for
// every facility and work.
func TestJVM(t *testing.T) {
	if why := withoutJVM(); why != "" {
		t.Skip(why)
	}
	out := timers(t, "--quick")
	lines := 0
	for line := range strings.Lines(out) {
		if line = strings.TrimSuffix(line, "\n"); strings.HasPrefix(line, "Benchmark") {
			assert.Regexp(t, jvmLine, line)
			lines++
		} else {
			assert.Regexp(t, `^[a-z]+: .+$`, line, "a configuration line")
		}
	}
	assert.Equal(t, 9, lines, out)
	for _, name := range jvmNames() { // but for their sizes
		entrant, _, _ := strings.Cut(name, "/n=")
		assert.Contains(t, out, "Benchmark"+entrant+"/n=")
	}
}

// withoutJVM returns what the program for the JVM lacks here, or "".
func withoutJVM() string {
	if _, err := exec.LookPath("javac"); err != nil {
		return "no javac: on Debian, apt install openjdk-17-jdk-headless"
	}
	if _, err := os.Stat(nettyJar); err != nil {
		return "no Netty: on Debian, apt install libnetty-java"
	}
	return ""
}

// timers compiles the program and runs it.
func timers(t *testing.T, args ...string) string {
	t.Helper()
	dir := t.TempDir()
	command(t, "javac", "-Xlint:all", "-Werror", "-cp", nettyJar, "-d", dir, filepath.Join("jvm", "Timers.java"))
	return command(t, "java", append([]string{"-cp", nettyJar + ":" + dir, "Timers"}, args...)...)
}

// jvmNames returns the cells that the program measures.
func jvmNames() (names []string) {
	for _, scheme := range []string{"netty-hashedwheel", "netty-hashedwheel-tuned", "jdk-scheduledpool"} {
		for _, n := range []string{"100k", "1M"} {
			for _, work := range []string{"PairHot/scheme=%s/n=%s/T=1M", "PairCold/scheme=%s/n=%s/T=1M", "Hold/scheme=%s/n=%s/T=10k"} {
				names = append(names, fmt.Sprintf(work, scheme, n))
			}
		}
	}
	return names
}

func command(t *testing.T, name string, args ...string) string {
	t.Helper()
	var stderr strings.Builder
	cmd := exec.Command(name, args...)
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	require.NoError(t, err, "%s %s\n%s%s", name, strings.Join(args, " "), out, &stderr)
	return string(out)
}
