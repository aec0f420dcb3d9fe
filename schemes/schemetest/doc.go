// Package schemetest is the conformance suite that every timer scheme must pass, whatever its structure. It
// tests the contract of package schemes and assumes nothing else about the scheme under test.
//
//	func TestConformance(t *testing.T) { schemetest.Run(t, &ordered.Info) }
//	func FuzzConformance(f *testing.F) { schemetest.Fuzz(f, &ordered.Info) }
//
// The contract is a list of rules, each a name, one sentence and a check; rules in rules.go is the whole list.
// Most checks are programs: short lists of operations, written by hand around the place where a
// rule is easily broken (program.go), or decoded from random bytes (random.go). A machine (machine.go)
// executes a program on the scheme and on a plain model of maps (model.go), compares the results, and after
// every operation compares what the scheme says about itself (observe.go). So the expected outcome is never
// written down: a program is only a circumstance.
//
// A failing program is shrunk (random.go) and reported as the rule's sentence, what
// happened instead, and the operations that led there:
//
//	ordered breaks the rule stop-sibling: A timer that an action stops on its own tick is not handed out.
//		Expire handed out id 2 (h2), which an action of this Expire stopped
//		New(Now 0)
//		Start(interval 1, id 1) -> h1
//		Start(interval 1, id 2) -> h2
//		PerTick() = 2
//		Expire() -> id 1 {Stop(h2) = true}, id 2
//
// A program may fail under the name of another rule than the one that wrote it: the
// rules that hold always (len, check, handle-unique, …) are checked everywhere. Where scheme and model still agree
// after a wrong result, the program goes on, so that the rule at hand is checked all the same (machine.note).
//
// A scheme that is not in the paper has the Number 0 and needs the four operations only. Rules about optional
// methods (Counts, Check, Len, String, Advance, Next, Restart, Bound, Held) are skipped for schemes without
// them. What the paper fixes for its seven schemes, such as exact counts, is asked of the seven alone, not of
// variants: schemes whose name has a suffix, as in "tree-bst".
//
// The package needs the standard library only, since the lab of teach/lab copies it into the modules of
// students. So package rapid, which tests elsewhere use, cannot serve here.
//
// The rules about allocation come last, and a Violation of one wraps ErrAllocates: a scheme that
// allocates is slower, not wrong. Run fails it, RunAllocating skips these rules.
//
// An operation that does not return for half a minute breaks the rule hang. A slow
// scheme passes: long runs end after some seconds with what was done until then.
//
// A scheme with a Bound trades precision, but its error depends on the interval and the clock at the start
// alone. So an oracle can say when a timer is due (bound.go): a fresh scheme that holds nothing else.
// model.deadline, the only place that decides when a timer is due, asks it, and every rule then holds for such
// a scheme as for an exact one. That the answers keep within the published bound is a rule of its own.
package schemetest
