// Package schemetest is the conformance suite that every timer scheme must
// pass, whatever its structure. It knows the contract of package schemes and
// nothing else about the scheme under test.
//
//	func TestConformance(t *testing.T) { schemetest.Run(t, &ordered.Info) }
//	func FuzzConformance(f *testing.F) { schemetest.Fuzz(f, &ordered.Info) }
//
// The contract is a list of rules, each a name, one sentence and a check; rules
// in rules.go is the whole list. Most checks are programs: short lists of
// operations (program.go), written by hand around the place where a rule is
// easily broken, or decoded from random bytes (decode.go). A machine
// (machine.go) does every operation of a program on the scheme and on a plain
// model of maps (model.go), compares what both answer, and after every
// operation looks at what the scheme says about itself (observe.go). So the
// expected outcome is never written down: a program is only a circumstance.
//
// A failure is first shrunk (shrink.go) and then told as the rule's sentence,
// what happened instead, and the operations that led there:
//
//	ordered breaks the rule stop-sibling: A timer that an action stops on its own tick is not handed out.
//		Expire handed out id 2 (h2), which an action of this Expire stopped
//		New(Now 0)
//		Start(interval 1, id 1) -> h1
//		Start(interval 1, id 2) -> h2
//		PerTick() = 2
//		Expire() -> id 1 {Stop(h2) = true}, id 2
//
// A program that fails under the name of another rule than the one that wrote
// it does so because the rules that hold always (len, check, handle-unique, …)
// are looked at everywhere.
//
// Rules about optional methods (Counts, Check, Len, String, Advance, Next,
// Restart, Bound, Held) are skipped for schemes without them. What the paper
// fixes for its seven schemes only, such as exact counts, is not asked of
// variants: schemes whose name has a suffix, as in "tree-bst".
//
// A scheme with a Bound trades precision, but its error depends on the interval
// and the clock at the start alone. So when a timer is due can be asked of an
// oracle (oracle.go): a fresh scheme that holds nothing else. model.deadline, the
// only place that decides when a timer is due, asks it, and every rule then holds
// for such a scheme as for an exact one. That the answers keep within the
// published bound is a rule of its own.
package schemetest
