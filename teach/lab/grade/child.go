package grade

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"time"

	"timerlab/schemes"
)

// Record is a line that a child writes: first what it checks, then the result of each rule, or why the child ends.
type Record struct {
	Number  int     `json:",omitempty"` // of the scheme
	Result  *Result `json:",omitempty"`
	TooMuch bool    `json:",omitempty"` // more than Memory is in use
}

// Task is what a child is to do.
type Task struct {
	Stage   int // by its place in Stages
	Options Options
}

// Main is the program of a child, which checks one stage. It is a process of its own
// because a scheme may loop, exhaust the memory or exit. given is a key and, on a line of its own, the task. The key signs
// the records: what the scheme's own code writes among them, before Main or meanwhile, does not count.
func Main(info *schemes.Info, given []byte, records io.Writer) {
	var task Task
	key, text, _ := bytes.Cut(given, []byte("\n"))
	if err := json.Unmarshal(text, &task); err != nil {
		log.Fatalln("grading:", err)
	}
	stages, own := readStages(), *info // which the scheme may change
	var lock sync.Mutex
	number := 0
	write := func(r Record) {
		lock.Lock()
		defer lock.Unlock()
		line, err := json.Marshal(r)
		if err == nil {
			_, err = fmt.Fprintf(records, "%s %s\n", Sign(key, number, line), line)
		}
		if number++; err != nil {
			log.Fatalln("grading:", err)
		}
	}
	write(Record{Number: own.Number})
	limitMemory(func() { write(Record{TooMuch: true}) })
	stages[task.Stage].Check(&own, task.Options, func(r Result) { write(Record{Result: &r}) })
}

// Sign returns the signature of the record of a number, from 0.
func Sign(key []byte, number int, line []byte) string {
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%d %s", number, line)
	return hex.EncodeToString(mac.Sum(nil))
}

// Memory is the number of bytes that a scheme may use, together with the suite.
const Memory = 1 << 30

// limitMemory ends the process when it uses more than Memory, after a report.
func limitMemory(report func()) {
	debug.SetMaxStack(64 << 20) // bytes
	debug.SetMemoryLimit(Memory)
	used := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	go func() {
		for range time.Tick(10 * time.Millisecond) {
			metrics.Read(used)
			if used[0].Value.Uint64() > Memory {
				report()
				os.Exit(1)
			}
		}
	}()
}
