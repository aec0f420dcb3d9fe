package tracefile

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
)

// lines reads lines and counts them.
type lines struct {
	r *bufio.Reader
	n int
}

const (
	longestLine = 64 << 10
	peeked      = 256 << 10 // bytes at the beginning that decide the format
)

func newLines(r io.Reader) (*lines, error) {
	b := bufio.NewReaderSize(r, peeked)
	if magic, _ := b.Peek(2); bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(b)
		if err != nil {
			return nil, fmt.Errorf("gzip: %w", err)
		}
		b = bufio.NewReaderSize(z, peeked)
	}
	return &lines{r: b}, nil
}

// peek returns the beginning of what is to be read.
func (l *lines) peek() ([]byte, error) {
	head, err := l.r.Peek(peeked)
	if err != nil && err != io.EOF && err != bufio.ErrBufferFull {
		return nil, err
	}
	return head, nil
}

// next returns the next line without its end, and whether it has one. The line is valid
// until the next call.
func (l *lines) next() (line []byte, whole bool, err error) {
	line, err = l.r.ReadSlice('\n')
	if err == bufio.ErrBufferFull || len(line) > longestLine {
		return nil, false, &LineError{l.n + 1, fmt.Errorf("longer than %d bytes", longestLine)}
	}
	if err != nil && (err != io.EOF || len(line) == 0) {
		return nil, false, err
	}
	l.n++
	whole = err == nil
	return bytes.TrimRight(line, "\r\n"), whole, nil
}

// wrong makes an error about the current line.
func (l *lines) wrong(format string, args ...any) error {
	return &LineError{l.n, fmt.Errorf(format, args...)}
}
