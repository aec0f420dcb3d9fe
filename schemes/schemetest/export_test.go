package schemetest

import (
	"time"

	"timerlab/schemes"
)

// Planted is a scheme with a fault, and the rule that it must be rejected for.
type Planted struct {
	Fault, Rule string
	Info        *schemes.Info
}

// PlantedFaults returns every fault of the reference.
func PlantedFaults() (all []Planted) {
	for _, b := range broken {
		info := extendedInfo(b.number, b.fault)
		info.Name = "reference" // no variant, as of a student's scheme
		all = append(all, Planted{string(b.fault), b.rule, info})
	}
	return all
}

// CheckOutside checks one rule as VerifyOutside does.
func CheckOutside(info *schemes.Info, promises func(word string) bool, rule string, within time.Duration) Verdict {
	return newSuite(info, rule != "volume").fromOutside(RuleNamed(rule), &outside{info: info, promises: promises}, within)
}

// SeenOutside reports whether a rule can be seen from outside.
func SeenOutside(rule string) bool {
	for _, o := range outsideRules {
		if o.rule == rule {
			return true
		}
	}
	return false
}

// AloneOutside returns when a timer is due that is alone in another program, once with each of these slots.
func AloneOutside(info *schemes.Info, interval schemes.Tick, slots ...int) (all []schemes.Tick) {
	o := &outside{info: info, alone: map[string]alone{}}
	for _, n := range slots {
		ticks, _ := o.dueAlone(setting{cfg: schemes.Config{Slots: n}}, interval, interval)
		all = append(all, ticks)
	}
	return all
}
