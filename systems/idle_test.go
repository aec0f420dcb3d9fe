package systems_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/systems"
	"timerlab/systems/sharded"
)

// idleListener closes connections that are idle for some time, whatever the server does. It
// takes the place of Server.IdleTimeout, which sets a deadline of the connection: a timer of the
// runtime's.
type idleListener struct {
	net.Listener
	afterFunc func(d time.Duration, f func()) (systems.Timer, error)
	timeout   time.Duration
	closed    func(late time.Duration) // of each connection that was idle
}

// idleConn is a connection whose deadline each Read and Write pushes into the future.
type idleConn struct {
	net.Conn
	listener *idleListener
	mu       sync.Mutex
	idle     systems.Timer
	deadline time.Time
	closed   bool
}

func (l *idleListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	c := &idleConn{Conn: conn, listener: l, deadline: time.Now().Add(l.timeout)}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.idle, err = l.afterFunc(l.timeout, c.expire); err != nil {
		_ = conn.Close()
		return nil, err
	}
	return c, nil
}

func (c *idleConn) push() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.closed {
		c.deadline = time.Now().Add(c.listener.timeout)
		c.idle.Reset(c.listener.timeout)
	}
}

// expire closes the connection, unless it was closed or used after expire had begun.
func (c *idleConn) expire() {
	c.mu.Lock()
	late := time.Since(c.deadline)
	idle := !c.closed && late >= 0
	c.closed = c.closed || idle
	c.mu.Unlock()
	if idle {
		c.listener.closed(late)
		_ = c.Conn.Close()
	}
}

func (c *idleConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if n > 0 {
		c.push()
	}
	return n, err
}

func (c *idleConn) Write(p []byte) (int, error) {
	c.push()
	return c.Conn.Write(p)
}

func (c *idleConn) Close() error {
	c.mu.Lock()
	c.closed = true
	c.idle.Stop()
	c.mu.Unlock()
	return c.Conn.Close()
}

// idleConns serves some connections on the loopback, one request each and then, in rounds,
// another, and lets them be idle. It returns how late the connections were closed, and the
// bytes and allocations of the process for each request and its connection.
func idleConns(tb testing.TB, f func(time.Duration, func()) (systems.Timer, error), conns, rounds int,
	timeout time.Duration,
) (late []time.Duration, bytes, allocs float64) {
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(tb, err)
	var mu sync.Mutex
	all := make(chan bool)
	l := &idleListener{inner, f, timeout, func(d time.Duration) {
		mu.Lock()
		defer mu.Unlock()
		if late = append(late, d); len(late) == conns {
			close(all)
		}
	}}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "ok") })}
	go server.Serve(l)
	defer server.Close()

	clients, readers := make([]net.Conn, conns), make([]*bufio.Reader, conns)
	for i := range clients {
		clients[i], err = net.Dial("tcp", inner.Addr().String())
		require.NoError(tb, err)
		defer clients[i].Close()
		readers[i] = bufio.NewReaderSize(clients[i], 256)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range rounds {
		for i, c := range clients {
			_, err := io.WriteString(c, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
			require.NoError(tb, err)
			response, err := http.ReadResponse(readers[i], nil)
			require.NoError(tb, err)
			_, err = io.Copy(io.Discard, response.Body)
			require.NoError(tb, err)
		}
	}
	runtime.ReadMemStats(&after)
	select {
	case <-all:
	case <-time.After(time.Minute):
		tb.Fatal("not all connections were closed")
	}
	slices.Sort(late)
	n := float64(rounds * conns)
	return late, float64(after.TotalAlloc-before.TotalAlloc) / n, float64(after.Mallocs-before.Mallocs) / n
}

func goTimer(d time.Duration, f func()) (systems.Timer, error) { return time.AfterFunc(d, f), nil }

// An HTTP server whose idle connections are closed by a service.
func TestIdleConnections(t *testing.T) {
	f, err := sharded.New(sharded.Options{})
	require.NoError(t, err)
	late, _, _ := idleConns(t, f.AfterFunc, 100, 2, 200*time.Millisecond)
	assert.Len(t, late, 100)
	assert.GreaterOrEqual(t, late[0], time.Duration(0))
	_, err = f.Close()
	assert.NoError(t, err)
}

// pipeListener accepts a pipe.
type pipeListener struct {
	net.Listener
	conn net.Conn
}

func (l pipeListener) Accept() (net.Conn, error) { return l.conn, nil }

// A connection without a timer is closed. Nothing revives the timer of a closed one, and none is
// closed that was used while its timer expired.
func TestIdleConn(t *testing.T) {
	bubble(t, func(t *testing.T, f systems.Facility) {
		var expire func()
		afterFunc := func(d time.Duration, action func()) (systems.Timer, error) {
			expire = action
			return f.AfterFunc(d, action)
		}
		accept := func() (client, server net.Conn, err error) {
			idle := 0
			client, inner := net.Pipe()
			l := &idleListener{pipeListener{conn: inner}, afterFunc, time.Second, func(time.Duration) { idle++ }}
			server, err = l.Accept()
			if err == nil {
				time.Sleep(999 * time.Millisecond)
				server.(*idleConn).push()
				expire()
				assert.Zero(t, idle)
			}
			return client, server, err
		}
		_, server, err := accept()
		require.NoError(t, err)
		assert.NoError(t, server.Close())
		_, err = server.Write([]byte("x"))
		assert.Error(t, err)
		assert.Zero(t, f.Stats().Pending)
		_, err = f.Close()
		require.NoError(t, err)
		client, server, err := accept()
		assert.ErrorIs(t, err, systems.ErrClosed)
		assert.Nil(t, server)
		_, err = client.Read(make([]byte, 1))
		assert.ErrorIs(t, err, io.EOF)
	})
}

// 9,900 connections are what 20,000 open files allow.
func BenchmarkIdleConnections(b *testing.B) {
	f, err := sharded.New(sharded.Options{})
	require.NoError(b, err)
	defer f.Close()
	for name, afterFunc := range map[string]func(time.Duration, func()) (systems.Timer, error){
		"time.AfterFunc": goTimer, "sharded": f.AfterFunc,
	} {
		b.Run("facility="+name, func(b *testing.B) {
			for b.Loop() {
				const conns = 9_900
				late, bytes, allocs := idleConns(b, afterFunc, conns, 3, 4*time.Second)
				b.ReportMetric(float64(late[conns/2]), "late-p50-ns")
				b.ReportMetric(float64(late[conns*99/100]), "late-p99-ns")
				b.ReportMetric(float64(late[conns-1]), "late-max-ns")
				b.ReportMetric(bytes, "B/request")
				b.ReportMetric(allocs, "allocs/request")
			}
		})
	}
}
