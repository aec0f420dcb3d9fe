package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Firefox passes the tests that need no emulation and are about more than one part of the page.
func TestFirefox(t *testing.T) {
	path, err := exec.LookPath("firefox-esr")
	if err != nil || testing.Short() {
		t.Skip("starts firefox-esr, which .ci/more installs")
	}
	startFirefox(t, path)
	for name, test := range map[string]func(*testing.T){
		"Counts": TestCountsEqualNative, "Links": TestLinkRoundTrip, "Keys": TestKeys,
		"Changes": TestChanges, "Lessons": TestLessons, "Source": TestSourceShown, "Drawings": TestSavedDrawings,
		"Projector": TestProjector, "Race": TestRace, "RaceCounts": TestRaceCounts,
	} {
		t.Run(name, test)
	}
}

// fox is the connection to a Firefox without a window, while TestFirefox runs. Its protocol is Marionette: a message
// is JSON after its length and a colon.
var fox net.Conn

func startFirefox(t *testing.T, path string) {
	home := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(home, "user.js"), []byte(`user_pref("marionette.port", 0);`), 0o600))
	command := exec.Command(path, "--headless", "--no-remote", "--marionette", "--profile", home, "about:blank")
	command.Env = append(os.Environ(), "HOME="+home)
	require.NoError(t, command.Start())
	t.Cleanup(func() {
		fox = nil
		_ = command.Process.Signal(os.Interrupt)
		_ = command.Wait()
	})
	var conn net.Conn
	require.Eventually(t, func() bool {
		port, _ := os.ReadFile(filepath.Join(home, "MarionetteActivePort"))
		var err error
		conn, err = net.Dial("tcp", "127.0.0.1:"+string(port))
		return err == nil
	}, time.Minute, 50*time.Millisecond)
	fox = conn
	receive(t, new(any)) // it greets
	marionette(t, "WebDriver:NewSession", struct{}{}, nil)
}

// marionette has Firefox run a command, and reads the value that it returns.
func marionette(t *testing.T, name string, arguments, value any) {
	t.Helper()
	message, err := json.Marshal([]any{0, 0, name, arguments})
	require.NoError(t, err)
	_, err = fmt.Fprintf(fox, "%d:%s", len(message), message)
	require.NoError(t, err)
	var failed any
	receive(t, &[]any{nil, nil, &failed, &struct{ Value any }{value}})
	require.Nil(t, failed, "%s %v", name, arguments)
}

func receive(t *testing.T, message any) {
	t.Helper()
	var length int64
	_, err := fmt.Fscanf(fox, "%d:", &length)
	require.NoError(t, err)
	require.NoError(t, json.NewDecoder(io.LimitReader(fox, length)).Decode(message))
}
