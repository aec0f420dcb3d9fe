package harness

import (
	"flag"
	"testing"
	"time"

	"timerlab/schemes"
)

var grow = flag.Bool("grow", false, "run the benchmarks of growing to 10 million timers, some seconds each")

// grown is how many timers the growth benchmarks start, from none.
const grown = 10_000_000

// BenchmarkWorstStart measures the worst single Start while a scheme grows from
// 0 to 10 million timers without a hint of its size. Compare max-ns with that of
// BenchmarkDoublingSlice: what the same growth costs a scheme that keeps its
// records in one slice.
func BenchmarkWorstStart(b *testing.B) {
	if !*grow {
		b.Skip("for this benchmark give -grow")
	}
	for _, info := range benched() {
		if info.Sorted {
			continue // searching a list of millions would hide what growing costs
		}
		b.Run("scheme="+info.Name+"/n=10M", func(b *testing.B) {
			worst := time.Duration(0)
			for range b.N {
				s, err := info.New(schemes.Config{})
				if err != nil {
					b.Fatal(err)
				}
				last := time.Now()
				for id := range schemes.ID(grown) {
					if _, err := s.Start(1+schemes.Tick(id)/64%256, id); err != nil {
						b.Fatal(err)
					}
					now := time.Now()
					worst, last = max(worst, now.Sub(last)), now
				}
			}
			b.ReportMetric(float64(worst), "max-ns")
		})
	}
}

// BenchmarkDoublingSlice is the contrast: the worst append to one slice of
// 32-byte records that doubles when it is full.
func BenchmarkDoublingSlice(b *testing.B) {
	if !*grow {
		b.Skip("for this benchmark give -grow")
	}
	type record [4]uint64
	worst := time.Duration(0)
	for range b.N {
		var records []record
		last := time.Now()
		for id := range uint64(grown) {
			if len(records) == cap(records) {
				larger := make([]record, len(records), max(64, 2*len(records)))
				copy(larger, records)
				records = larger
			}
			records = append(records, record{id})
			now := time.Now()
			worst, last = max(worst, now.Sub(last)), now
		}
	}
	b.ReportMetric(float64(worst), "max-ns")
}
