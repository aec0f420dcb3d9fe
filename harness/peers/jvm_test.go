package peers

import (
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
	javac, err := exec.LookPath("javac")
	if err != nil {
		t.Skip("no javac: on Debian, apt install openjdk-17-jdk-headless")
	}
	if _, err := os.Stat(nettyJar); err != nil {
		t.Skip("no Netty: on Debian, apt install libnetty-java")
	}
	dir := t.TempDir()
	run(t, javac, "-Xlint:all", "-Werror", "-cp", nettyJar, "-d", dir, filepath.Join("jvm", "Timers.java"))
	out := run(t, "java", "-cp", nettyJar+":"+dir, "Timers", "--quick")
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
}

func run(t *testing.T, name string, args ...string) string {
	t.Helper()
	var stderr strings.Builder
	cmd := exec.Command(name, args...)
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	require.NoError(t, err, "%s %s\n%s%s", name, strings.Join(args, " "), out, &stderr)
	return string(out)
}
