package grade

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
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

// Task is what a child is to do, as its first argument.
type Task struct {
	Stage   int // by its place in Stages
	Options Options
	Records string // the file for its records
}

// Main is the program of a child, which checks one stage. It is a process of its own
// because a scheme may loop, exhaust the memory or exit. The key signs the records: what the scheme's own code writes
// into their file, before Main or meanwhile, does not count.
func Main(info *schemes.Info, key string) {
	var task Task
	err := json.Unmarshal([]byte(os.Args[1]), &task)
	var file *os.File
	if err == nil {
		file, err = os.OpenFile(task.Records, os.O_APPEND|os.O_WRONLY, 0)
	}
	if err != nil {
		log.Fatalln("grading:", err)
	}
	var lock sync.Mutex
	number := 0
	write := func(r Record) {
		lock.Lock()
		defer lock.Unlock()
		line, err := json.Marshal(r)
		if err == nil {
			_, err = fmt.Fprintf(file, "%s %s\n", Sign(key, number, line), line)
		}
		if number++; err != nil {
			log.Fatalln("grading:", err)
		}
	}
	write(Record{Number: info.Number})
	limitMemory(func() { write(Record{TooMuch: true}) })
	Stages[task.Stage].Check(info, task.Options, func(r Result) { write(Record{Result: &r}) })
}

// Sign returns the signature of the record of a number, from 0, in the file.
func Sign(key string, number int, line []byte) string {
	mac := hmac.New(sha256.New, []byte(key))
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
