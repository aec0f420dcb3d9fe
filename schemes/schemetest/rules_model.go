package schemetest

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"timerlab/schemes"
)

// randomPrograms is how many programs the rule model does.
const randomPrograms = 500

// noise is n bytes that follow from seed.
func noise(seed uint64, n int) []byte {
	r := rand.New(rand.NewPCG(seed, 0x74696d6572))
	b := make([]byte, 0, n+8)
	for len(b) < n {
		b = binary.LittleEndian.AppendUint64(b, r.Uint64())
	}
	return b[:n]
}

func checkModel(s *suite) error {
	for seed := range uint64(randomPrograms) {
		if err := s.try(decode(s.info, noise(seed, 60+int(seed)%300))); err != nil {
			return err
		}
	}
	return nil
}

// Fuzz makes a native fuzz target of the rule model: bytes decode to a program.
func Fuzz(f *testing.F, info *schemes.Info) {
	for seed := range uint64(16) {
		f.Add(noise(seed, 32<<(seed%4)))
	}
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		s := newSuite(info)
		s.rule = &rules[len(rules)-1]
		for i := range rules {
			if rules[i].Name == "model" {
				s.rule = &rules[i]
			}
		}
		if err := s.try(decode(info, data)); err != nil {
			t.Fatal(err)
		}
	})
}
