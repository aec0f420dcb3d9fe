package player

import "timerlab/harness/workload"

// FirstLesson is the one that the page opens with.
const FirstLesson = 1

// Lesson is a curated state with a text, a question and what its answer shows.
type Lesson struct {
	Title    string
	Text     string // HTML, at most 150 words
	State    string // as a fragment, relative to the state of a free page
	Question Question
	Reveal   string // HTML
}

// freeState is the state without a lesson.
func freeState() State {
	return State{
		Schemes: []string{"hashunsorted"}, Slots: 16, Wheels: 2, N: 12, T: 20, Dist: workload.Exp(), Seed: 1,
		Ticks: 200,
		Step:  WholeTick,
	}
}

// Lessons are in their order.
var Lessons = []Lesson{
	{
		Title: "What a timer module does",
		Text: `<p>A client <b class="k-new">starts</b> a timer and names an interval. If the client does not
<b>stop</b> it first, the timer <b class="k-due">expires</b> that many ticks later. A timer module has
four routines:</p>
<ul><li>START_TIMER(interval, id)</li><li>STOP_TIMER(handle)</li><li>PER_TICK_BOOKKEEPING: the clock moves by one
tick</li><li>EXPIRY_PROCESSING: the action of each due timer runs</li></ul>
<p>Here each circle is a timer. Its name is in the circle; the number below is the ticks that it has left. Press
<kbd>→</kbd> for a tick, <kbd>Shift</kbd>+<kbd>→</kbd> for one operation, <kbd>←</kbd> to go back.</p>
<p>All seven schemes of Varghese and Lauck do exactly this. They differ only in what it costs.</p>`,
		State:    "schemes=unordered&n=0&ticks=12&edit=0:start:5,0:start:3,0:start:9,2:start:4,4:stop:2&t=1",
		Question: Question{Kind: AskExpiry},
		Reveal: `A timer is due in exactly as many ticks as its interval says: never early, never late. The
conformance
suite of this project checks that rule first.`,
	},
	{
		Title: "Scheme 1: the list that pays for all",
		Text: `<p>The simplest module keeps every timer in a list, with the ticks that it has left. START and
STOP just
link and unlink: O(1). Each tick, though, <b class="k-visit">visits</b> every timer and takes one off.</p>
<p>The counter on the right is not a simulation: it is the benchmark's own, read from the same Go code that
<code>bench run</code> measures.</p>
<p>Twelve timers are outstanding here, and each that ends is followed by a new one. Step a few ticks and watch the
visits.</p>`,
		State:    "schemes=unordered&n=12&T=20&t=6",
		Question: Question{Kind: AskVisits},
		Reveal: `n visits, on every tick, due or not. For a timer that stays T ticks that makes T visits in
all. Set n to 96
and the tick costs eight times as much; START still costs one link.`,
	},
	{
		Title: "Scheme 2: sorted, but from which end?",
		Text: `<p>Keep the list sorted by deadline, and a tick looks only at its head. Now START must search for its
place. The number below a timer is its <b>deadline</b>, after an @.</p>
<p>Two lists run here on the same timers. The first is searched from its head, the second from its rear. The
intervals are <b>uniform</b>: every length up to a longest one is equally likely.</p>
<p>Most timers in the list started a while ago and have little left. Where does that put a new one?</p>`,
		State:    "schemes=ordered,ordered-rear&n=14&T=40&workload=uniform&t=12",
		Question: Question{Kind: AskWork},
		Reveal: `A new timer passes about 2/3 of the list from the head if intervals are uniform, and 1/2 if they are
exponential. The paper has the two labels interchanged. From the rear only 1/3 is passed. Try
<a href="#v=1&amp;lesson=3&amp;workload=exp">exponential</a> and <a
href="#v=1&amp;lesson=3&amp;workload=const">constant</a>
intervals: with constant ones the rear costs one comparison.`,
	},
	{
		Title: "Scheme 3: a heap keeps less order",
		Text: `<p>A tick needs only the <i>earliest</i> timer, so a full order is more than it takes. In a
heap every timer
is no later than those below it; that is all.</p>
<p>START puts the new timer at the bottom, and it climbs while the one above is later. There are log₂ n levels: with
15 others at most four steps up. When the top expires, the last timer takes its place and sinks, with
<b class="k-visit">two comparisons a level</b>.</p>
<p>A million timers have twenty levels. The sorted list would pass half a million timers.</p>`,
		State:    "schemes=tree&n=15&T=40&t=7",
		Question: Question{Kind: AskCompares, Interval: 60},
		Reveal: `A long interval stays at the bottom: one comparison. START is cheap on average, since a new timer is
mostly late. It is the expiry, with its way down, that pays log n (claim S3-9 of the results).`,
	},
	{
		Title: "A tree that becomes a list",
		Text: `<p>A search tree that nothing balances is fine if deadlines arrive in random order. They do
not: time moves
on, so later starts tend to have later deadlines.</p>
<p>Here all intervals are <b>equal</b>, as for connections with one idle timeout. Every new timer is later than all
others and goes down the right edge, to its end.</p>
<p>Compare with <a href="#v=1&amp;lesson=5&amp;workload=exp">exponential intervals</a>, where the tree
stays bushy.</p>`,
		State:    "schemes=tree-bst&n=12&T=24&workload=const&t=60",
		Question: Question{Kind: AskCompares, Interval: 24},
		Reveal: `The new timer is compared with every timer on the right edge: O(n), as in a sorted list. The
paper names
this case. What it does not say: with uniform intervals the tree degenerates too, to a depth of about √n
(claim S3-5).`,
	},
	{
		Title: "Scheme 4: a slot for every tick",
		Text: `<p>If no interval is longer than M ticks, a ring of M slots needs no search and no comparison. The
<b class="k-hand">hand</b> moves by one slot a tick. START puts a timer of interval J into the slot J places ahead of
it; what lies in the slot that the hand reaches is due.</p>
<p>START, STOP and a tick all cost O(1). The price is memory and a bounded range: this wheel has 32 slots and refuses
an interval of 33.</p>
<p>It is the bucket sort of timers, and the ancestor of the three schemes that follow.</p>`,
		State:    "schemes=simplewheel&n=10&T=12&M=32&workload=uniform&t=9",
		Question: Question{Kind: AskSlot, Interval: 29},
		Reveal: `Slot (now + J) mod M. The hand reaches it in the J-th tick from now and not before, because J
is at most M:
every timer in a slot has the same deadline.`,
	},
	{
		Title: "Scheme 6: 4 + 15 n/M",
		Text: `<p>What if intervals exceed M? Let ticks M apart share a slot, and let each timer count the
<b>revolutions</b> that it still has to wait: the small number at a circle. A tick
<b class="k-visit">visits</b> all timers of one slot: n/M of them on average.</p>
<p>From that the paper gives the mean cost of a tick as 4 + 15 n/M instructions: 4 for the tick, 6 for a visit and 9
for an expiry.</p>
<p>More slots, fewer visits: but how does the cost fall? Move the slider of M, and compare the formulas with the
counts.</p>`,
		State:    "schemes=hashunsorted&n=20&T=40&M=8&t=13",
		Question: Question{Kind: AskVisits},
		Reveal: `The timers of one slot. In its whole life a timer is visited about T/M times, but at least once,
when it expires, however large the wheel is. Here the paper's formula is too high: it takes all visited timers to expire. With
<a href="#v=1&amp;lesson=7&amp;M=128">T below M</a> it is too low: more than n/M timers expire each tick. The refined
one counts visits and expiries apart (claim H-12).`,
	},
	{
		Title: "Scheme 5 or 6: sort the slots?",
		Text: `<p>Scheme 5 is the same wheel with <b>sorted</b> slots. A tick looks at the head of one slot
and at nothing
else, but START searches the slot.</p>
<p>Scheme 6 does not sort: START is O(1), and a timer is <b class="k-visit">visited</b> once a revolution while it
waits.</p>
<p>Both run here on the same 24 timers with 8 slots, so a slot holds three timers on average. Which does less work in
all? Count every comparison, visit, link and empty slot as one step.</p>`,
		State:    "schemes=hashsorted,hashunsorted&n=24&T=40&M=8&t=8",
		Question: Question{Kind: AskWork},
		Reveal: `It depends on n/M and on T/M: scheme 5 pays about p · n/M comparisons once for each timer,
scheme 6 pays
T/M visits. Few timers that stay long favour sorting. Yet the worst case of START is O(n) in scheme 5,
which is why the
paper prefers 6. Try <a href="#v=1&amp;lesson=8&amp;T=8">T = 8</a> and <a
href="#v=1&amp;lesson=8&amp;n=200">n = 200</a>.`,
	},
	{
		Title: "Scheme 7: the digits of the deadline",
		Text: `<p>Days, hours, minutes and seconds: 100 + 24 + 60 + 60 = 244 slots reach 100 days. The paper's
example:
it is day 11, 10:24:30, and a timer starts for 50 minutes 45 seconds. It is due at 11:15:15.</p>
<p>Write clock and deadline in these digits and find the highest one that differs. It names the wheel, and the
deadline's digit there names the slot.</p>
<p>The interval has no hours, only 50 minutes. On which wheel does the timer wait, and in which slot?</p>`,
		State:    "schemes=hierarchical&levels=60x60x24x100&n=0&now=987870&ticks=3100",
		Question: Question{Kind: AskSlot, Interval: 3045},
		Reveal: `The hours differ: 10 and 11. So it waits in slot 11 of the hour wheel until 11:00:00, then in
slot 15 of
the minute wheel, then in slot 15 of the second wheel. Digits of the <i>interval</i> would name the minute wheel, and
slot 50 there would be reached at 10:50: early. It is a bug that real programs have had.
<a href="#v=1&amp;lesson=9&amp;edit=0:start:3045&amp;t=2129">See the tick before 11:00</a>.`,
	},
	{
		Title: "Migrations, and why m hardly matters",
		Text: `<p>In scheme 7 a timer starts on a coarse wheel and <b class="k-moved">migrates</b> to a finer
one when its
slot's time has come. The paper bounds the cost by m migrations for m wheels, and from that advises scheme 6 up to a
mean T of m · M · c₇/c₆.</p>
<p>Three wheels of four slots run here. Follow a timer from its start to its expiry. How often does it migrate?</p>
<p>Compare the table's formula with the count.</p>`,
		State:    "schemes=hierarchical&n=14&T=16&M=12&m=3&workload=uniform&t=9",
		Question: Question{Kind: AskMigration},
		Reveal: `About once, whatever m is: a timer starts on the wheel that its interval needs, and if its
digit below is
0 it is due at once. The bound m is reached only by few. So the advice keeps scheme 6 several times too long
(claim V-6x). Try <a href="#v=1&amp;lesson=10&amp;M=16&amp;m=4">four wheels</a> or
<a href="#v=1&amp;lesson=10&amp;M=16&amp;m=2">two</a>.`,
	},
	{
		Title: "Stops change the winner",
		Text: `<p>Most timers in practice are stopped: the answer arrives before the timeout. Here 90 % are
stopped, after
5 % of their interval.</p>
<p>Both have 20 slots: one wheel, or four of five. Scheme 6 <b class="k-visit">visits</b> a waiting timer once a
revolution. Scheme 7 touches it only when it <b class="k-moved">migrates</b>.</p>
<p>The mean stay is T = 40 ticks, so an interval is about 280 ticks long. Which scheme does less work in the next 100
ticks?</p>`,
		State:    "schemes=hashunsorted,hierarchical&n=24&T=40&M=20&m=4&workload=uniform&stop=0.9@0.05&ticks=1000&t=50",
		Question: Question{Kind: AskWork},
		Reveal: `A stopped timer leaves scheme 7 before it migrates. The one in ten that expires migrates three times
at most, while scheme 6 visits it once a revolution, 14 times. With nearly all timers stopped, choose 7.
<a href="#v=1&amp;lesson=11&amp;stop=0">Without stops</a> the same T means intervals of 40 ticks, two revolutions, and
scheme 6 does much less.`,
	},
	{
		Title: "Your workload",
		Text: `<p>All seven schemes on one timeline and the same timers. Change n, M, T, the intervals or the share of
stops; each starts a new run. Load a trace of your own program below.</p>
<p>Steps are not nanoseconds: a visit that misses the cache costs more than one that hits. So the page ends where the
benchmark begins. The command under the timeline measures this very workload, and</p>
<p><code>bench pick --preset idle-heartbeat</code></p><p>runs all schemes at your real n and recommends one.</p>`,
		State:    "schemes=all&n=16&T=12&M=32&m=2&workload=uniform&t=10",
		Question: Question{Kind: AskWork},
		Reveal: `With few timers and short intervals, the wheel that reaches every interval does least. Raise
T until it no
longer can, then n: the lists fall behind first, then the heap. What remains is the question of the paper, 6 or 7, and
the answer depends on T/M.`,
	},
}
