package results

import "fmt"

// Reruns counts samples during which something else computed on the same core.
type Reruns struct {
	Samples   int // all, each once
	Reruns    int // of samples that were disturbed
	Disturbed int // kept although they were disturbed: there was no more time to lose
}

// Add adds counts.
func (r *Reruns) Add(more Reruns) {
	r.Samples += more.Samples
	r.Reruns += more.Reruns
	r.Disturbed += more.Disturbed
}

const rerunsFormat = "%d samples, %d reruns, %d disturbed"

// String is as in: 96 samples, 3 reruns, 1 disturbed.
func (r Reruns) String() string { return fmt.Sprintf(rerunsFormat, r.Samples, r.Reruns, r.Disturbed) }

func parseReruns(text string) (r Reruns, err error) {
	if _, err := fmt.Sscanf(text, rerunsFormat, &r.Samples, &r.Reruns, &r.Disturbed); err != nil || r.String() != text {
		return r, fmt.Errorf("invalid reruns %q (use %q)", text, Reruns{})
	}
	return r, nil
}
