package pick

import "slices"

// Targets of a judgement, as multiples of what the best other candidate costs, and as a share of all cases.
const (
	GoodPick  = 1.10 // is what a good pick costs at most
	worstPick = 1.30 // is what any pick should cost at most
	goodShare = 0.97 // of the cases should have a good pick
)

// Summary compares the verdicts on some cases with the targets.
type Summary struct {
	Good       int            `json:"good"`   // picks within GoodPick
	Grades     map[string]int `json:"grades"` // by the intervals of the ratios
	OverMemory int            `json:"over_memory_limit"`
	Short      int            `json:"short"`      // picks whose time was too short
	Tied       int            `json:"tied"`       // picks that name a tie
	TiesRight  int            `json:"ties_right"` // of those, all that is named is within GoodPick
	Unjudged   []string       `json:"not_judged"` // cases
	Worst      float64        `json:"-"`          // ratio of a pick

	All, Beyond int     `json:"-"` // cases, judged or not; picks that are not good
	GoodShare   float64 `json:"-"` // of good picks among all cases
}

// Summary returns the summary of the cases with these names.
func (j Judgement) Summary(names []string) Summary {
	s := Summary{Grades: map[string]int{"within": 0, "beyond": 0, "undecided": 0}}
	s.Unjudged = slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		return slices.ContainsFunc(j.Verdicts, func(v Verdict) bool { return v.Name == name })
	})
	for _, v := range j.Verdicts {
		s.Grades[v.grade()]++
		switch {
		case v.Short:
			s.Short++ // which is a miss
		case v.Ratio <= GoodPick:
			s.Good++
		}
		if v.Tied > 1 {
			s.Tied++
			if v.WorstTied <= GoodPick {
				s.TiesRight++
			}
		}
		if v.Memory > 0 && v.Bytes > v.Memory {
			s.OverMemory++
		}
		s.Worst = max(s.Worst, v.Ratio)
	}
	s.All, s.Beyond = len(j.Verdicts)+len(s.Unjudged), len(j.Verdicts)-s.Good
	s.GoodShare = float64(s.Good) / float64(s.All)
	return s
}

// GoodTarget says whether enough cases have a good pick. Cases that are not judged leave it open unless the
// others decide it.
func (s Summary) GoodTarget() string {
	switch most := float64(s.Good+len(s.Unjudged)) / float64(s.All); {
	case s.GoodShare >= goodShare:
		return "met"
	case most < goodShare:
		return "missed"
	}
	return "open until all are judged"
}

// WorstTarget says whether no pick costs too much.
func (s Summary) WorstTarget() string {
	switch {
	case s.Worst > worstPick:
		return "missed"
	case len(s.Unjudged) > 0:
		return "met by all that were judged"
	}
	return "met"
}
