package schemetest

import "timerlab/schemes"

// rules is the contract of package schemes, in the order of checking: what a
// scheme is, then single operations, then what they do to each other, and last
// the long runs. Where several rules are broken, the most basic comes first.
var rules = []Rule{
	// What an Info says.
	{"info", "An Info has a number from 1 to 7, or 0 if the scheme is not in the paper, a name of lower-case " +
		"words, a title, a text and both functions.", checkInfo},
	{"interfaces", "The seven schemes of the paper have Counts, Check, Len and String.", checkInterfaces},
	{"range", "Range is not 0; for the seven it is Slots for scheme 4, the product of Levels up to the clock's " +
		"end for scheme 7, and the whole clock for the others.", checkRange},

	// Start and PerTick.
	{"bound", "A scheme that trades precision publishes the worst error of an interval, the same at every " +
		"clock; no timer is due earlier or later than that, before the next tick, or after the clock's last one.",
		with[schemes.Bounder](checkBound)},
	{"bound-tight", "Bound is the worst error over all clocks: some clock attains each side.",
		with[schemes.Bounder](checkBoundTight)},
	{"exact", "A timer is due in the interval-th following PerTick, never early, never late; with a Bound, on " +
		"the tick that interval and clock alone decide.", checkExact},
	{"exact-clock", "A timer is due in the interval-th following PerTick whatever the clock shows; with a " +
		"Bound, on the tick that interval and clock alone decide.", each(at((*suite).settings), around(1100))},
	{"exact-long", "A long timer is not due early and stays stoppable.",
		each(at((*suite).withDefault, 0, 5, 1<<32-3, 1<<63-5), long)},
	{"interval-zero", "Start refuses interval 0 with ErrInterval and changes nothing.",
		each((*suite).settings, zeroIntervals)},
	{"interval-range", "An interval of exactly Range is accepted and due like any other; a longer one is refused " +
		"with ErrInterval and changes nothing.", checkRangeEnds},
	{"interval-clock", "An interval that leads past 2^64-1 is refused with ErrInterval and changes nothing; one that " +
		"leads exactly there is accepted and due by then.",
		each(at((*suite).settings, endOfClock-1, endOfClock-2, endOfClock-3, endOfClock-17, endOfClock-300), toClockEnd)},
	{"clock-stops", "At 2^64-1 PerTick returns 0 and changes nothing.",
		each(at((*suite).settings, endOfClock-2), pastClockEnd)},

	// Stop.
	{"stop", "Stop forgets a timer, wherever it is among others, and reports that it prevented the expiry.",
		each(at((*suite).upTo300, 3), stopPairs(false)...)},
	{"stop-due", "A due timer that is not yet handed out can be stopped.",
		each(at((*suite).few, 3), stopPairs(true)...)},
	{"stop-stale", "Stop refuses the handle of a timer stopped or handed out, also when its storage holds another " +
		"timer, without effect.", each((*suite).few, staleHandles)},
	{"stop-foreign", "Stop refuses the zero handle and handles that Start never returned, without effect.",
		each((*suite).few, foreignHandles)},

	// Expire.
	{"expire", "Expire hands out every due timer exactly once, earlier ticks first, and nothing is " +
		"lost by waiting with it.", each(at((*suite).settings, 1<<32-7), gather, crowd)},
	{"same-id", "Timers of the same ID are independent.", each((*suite).few, sameID)},
	{"stop-sibling", "A timer that an action stops on its own tick is not handed out.", each((*suite).few, siblings)},
	{"expire-forgets", "A timer is forgotten before its action runs: stopping it there is refused.",
		each((*suite).few, stopOneself)},
	{"expire-start", "A timer started in an action is not handed out by the same Expire, and is due as if started " +
		"outside.", each(at((*suite).settings, 0, 1<<32-3, 3_360_000), startInAction)},
	{"expire-panic", "A panic of an action comes out of Expire; the timers not yet handed out are still due, " +
		"and the scheme works on.", each((*suite).few, panics()...)},

	// The same again.
	{"deterministic", "The same operations hand out the same timers in the same order, also when Len, Check, Counts and " +
		"String are called between them.", checkOrder},
	{"separate", "Two schemes of one Info share nothing.", checkSeparate},

	// What holds after every operation: here only on one plain program.
	{"panic", "No operation panics, whatever it is given; only an action's own panic comes out of Expire.",
		checkPlain},
	{"hang", "Every operation returns.", checkPlain},
	{"len", "Len is the number of timers started and neither stopped nor handed out, due ones included.", checkPlain},
	{"check", "Check finds nothing after any operation.", checkPlain},
	{"string", "String draws the structure in at most some dozens of lines, whatever it holds.",
		each((*suite).withDefault, crowd)},
	{"handle-unique", "Start returns a handle that is not zero and that it never returned before.", checkPlain},
	{"pertick-number", "PerTick returns how many timers it moved to the due list.", checkPlain},
	{"counts-grow", "Counts never decrease.", checkPlain},
	{"counts-still", "Looking counts nothing: Len, Check, String, View, Next, NextEvent and ID are no operations.",
		checkPlain},
	{"counts-links", "Links is one for every start, every stop of a timer not yet due, and every move to the due " +
		"list; a stopped timer that Held still counts has not left yet.", checkPlain},

	// What New makes of a Config.
	{"config-default", "A zero Config means 256 slots, four wheels of 256.", checkDefault},
	{"config-rejected", "New refuses with ErrConfig a negative size, a radix below 1 and more than 2^31 slots, " +
		"in the fields the scheme uses.", checkRejected},
	{"config-ignored", "Fields of Config that a scheme does not use are ignored.", checkIgnored},
	{"config-copied", "New copies Levels and leaves the caller's slice alone.", checkCopied},

	// Optional operations.
	{"next", "Next returns the ticks until the earliest outstanding timer is due, 0 if one is due already, " +
		"and false if there is none.", with[schemes.Nexter](checkNext)},
	{"next-event", "NextEvent is at most Next, and at least 1 where no timer is due; it is false where Next is.",
		with[schemes.Sleeper](checkNext)},
	{"view", "View shows each outstanding timer once, with the tick on which it will be due, the due ones first.",
		with[schemes.Viewer](checkNext)},
	{"advance-steps-over", "Advance steps over empty slots instead of visiting every tick.",
		with[schemes.Advancer](with[schemes.Counter](checkAdvanceSteps))},
	{"advance", "Advance is PerTick until something is due or max ticks passed.",
		with[schemes.Advancer](checkAdvance)},
	{"restart", "Restart is Stop and Start of one timer: a stale handle and a bad interval are refused " +
		"without effect, and the old handle is stale afterwards.",
		with[schemes.Restarter](func(s *suite) { s.each(s.upTo300(), restarts); checkModel(s) })},
	{"id", "ID returns the ID of any timer that can be stopped, due ones included, and false for every other handle.",
		each(at((*suite).upTo300, 3), stopPairs(false)...)},
	{"held", "Held is at least Len, and Len again once no timer is outstanding and the longest interval has " +
		"passed: nothing is kept for ever.", with[schemes.Holder](each((*suite).settings, gather, crowd))},

	// Counts of the seven schemes.
	{"counts-visits", "Visits is what the scheme's structure makes PerTick look at, exactly.", counted("Visits")},
	{"counts-empty", "EmptySlots is the number of ticks that found the slot of the lowest wheel empty.",
		counted("EmptySlots")},
	{"counts-compares", "Compares is the timers passed on the way to a place in a sorted list and the one that " +
		"ends the search.", counted("Compares")},
	{"counts-migrations", "Migrations is, for every timer, the digits of its deadline below the level it " +
		"started on that are not zero.", counted("Migrations")},

	// Everything together, and the long runs.
	{"model", "Any program of operations has the same outcome as on the plain model.", checkModel},
	{"volume", "Started is handed out plus stopped plus outstanding, over hundreds of thousands of timers.",
		checkVolume},
	{"handle-reuse", "A handle stays refused however often its storage is used again.", checkReuse},
	{"handle-peak", "A scheme grows far beyond Capacity, and handles from before such a peak stay refused after it.",
		checkPeak},
	{"memory", "Memory grows with the timers outstanding, not with every stop, restart and expiry.",
		checkMemory},
	{"error-text", "An error names the scheme and the value that was refused.", checkErrorText},

	// Allocation: see ErrAllocates.
	{"allocation", "No operation allocates in the steady state.", checkAllocation},
	{"capacity-ahead", "Capacity is allocated up front: that many starts allocate nothing, once a timer of the " +
		"longest interval has come and gone.", checkCapacityAhead},
}

// aboutAllocation are the rules that a scheme may break and still be right. They come last.
var aboutAllocation = []string{"allocation", "capacity-ahead"}

// checkPlain is the check of the rules that hold after every operation.
var checkPlain = each(at((*suite).settings, 0, 250), plain)
