/* All of an adapter in C but the library. A file that includes it defines LONGEST, the longest interval, before that, then struct
 * timer, whose first member is struct name, and the functions declared here, and calls expired() in the library's callback. A tick is a millisecond of the clock that the
 * library reads: clock_gettime is defined below, for all that the program is linked with. The promise zero cannot be made.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

struct name {
	uint64_t id;
	struct timer *next; /* in the table */
	char *action;
};

struct timer;
static const char *hello(void);                             /* NAME VERSION PROMISE... */
static void library_new(void);                              /* after all timers were freed, or at the beginning */
static struct timer *library_make(void);                    /* a timer that has not started, zeroed */
static void library_free(struct timer *t);                  /* which may be pending */
static void library_start(struct timer *t, uint64_t ticks); /* t may be pending: a restart */
static int library_stop(struct timer *t);                   /* 1: it was pending */
static void library_tick(void);                             /* runs what is due; the clock has moved by a tick */

static uint64_t now; /* ticks */

int clock_gettime(clockid_t clock, struct timespec *ts) {
	if (clock == CLOCK_PROCESS_CPUTIME_ID)
		return syscall(SYS_clock_gettime, clock, ts);
	ts->tv_sec = 1000 + now / 1000;
	ts->tv_nsec = now % 1000 * 1000000;
	return 0;
}

static void *must(void *p) {
	if (!p) {
		perror("memory");
		exit(1);
	}
	return p;
}

/* The timers by ID, ended ones too, so that the library is asked about those. */
enum { BUCKETS = 1 << 16 };
static struct timer *table[BUCKETS];

static struct name *name_of(struct timer *t) { return (struct name *)t; }

static struct timer **place(uint64_t id) {
	struct timer **p = &table[(id * 0x9e3779b97f4a7c15) >> 48];
	while (*p && name_of(*p)->id != id)
		p = &name_of(*p)->next;
	return p;
}

static struct timer *timer_of(uint64_t id) {
	struct timer **p = place(id);
	if (!*p) {
		*p = must(library_make());
		name_of(*p)->id = id;
	}
	return *p;
}

static void rename_timer(struct timer *t, uint64_t id) {
	struct timer *same = *place(id), **p;
	if (same == t)
		return;
	if (same) { /* it has ended */
		*place(id) = name_of(same)->next;
		free(name_of(same)->action);
		library_free(same);
	}
	p = place(name_of(t)->id);
	*p = name_of(t)->next;
	free(name_of(t)->action);
	*name_of(t) = (struct name){.id = id};
	*place(id) = t;
}

static void forget(void) {
	for (size_t i = 0; i < BUCKETS; i++)
		while (table[i]) {
			struct timer *t = table[i];
			table[i] = name_of(t)->next;
			free(name_of(t)->action);
			library_free(t);
		}
	now = 0;
	library_new();
}

/* The answer. */
static char *text;
static size_t length, room;

static void say(const char *s) {
	size_t n = strlen(s);
	if (length + n + 1 > room)
		text = must(realloc(text, room = 2 * (length + n + 1)));
	memcpy(text + length, s, n + 1);
	length += n;
}

static int by_id(uint64_t id) { return *place(id) != NULL; }

/* do_line does a start, stop or restart and returns the answer. */
static const char *do_line(const char *line) {
	uint64_t id, ticks, name;
	if (sscanf(line, "start %" SCNu64 " %" SCNu64, &id, &ticks) == 2) {
		if (ticks > LONGEST)
			return "error interval out of range";
		library_start(timer_of(id), ticks);
		return "ok";
	}
	if (sscanf(line, "stop %" SCNu64, &id) == 1)
		return by_id(id) && library_stop(*place(id)) ? "yes" : "no";
	if (sscanf(line, "restart %" SCNu64 " %" SCNu64 " %" SCNu64, &id, &name, &ticks) == 3) {
		struct timer *t = *place(id);
		if (ticks > LONGEST)
			return "error interval out of range";
		if (!t || !library_stop(t))
			return "no";
		rename_timer(t, name);
		library_start(t, ticks);
		return "ok";
	}
	fprintf(stderr, "what is %s?\n", line);
	exit(1);
}

/* Expiries: of a file that is measured, or else of the protocol. */
struct expiry {
	uint64_t tick, id;
};
static struct expiry *expiries;
static size_t expired_number;
static uint64_t passing; /* the tick within a command */

static void expired(struct timer *t) {
	struct name *n = name_of(t);
	if (expiries) {
		expiries[expired_number++] = (struct expiry){now, n->id};
		return;
	}
	char word[64], *action = n->action, *rest = NULL;
	snprintf(word, sizeof word, " %" PRIu64 ":%" PRIu64, passing, n->id);
	say(word);
	n->action = NULL;
	const char *between = "=";
	for (char *op = action ? strtok_r(action, ";", &rest) : NULL; op; op = strtok_r(NULL, ";", &rest)) {
		const char *answer = do_line(op + strspn(op, " "));
		snprintf(word, sizeof word, "%s%.*s", between, (int)strcspn(answer, " "), answer);
		say(word);
		between = ",";
	}
	free(action);
}

/* The operations of a file. */
struct operation {
	char kind; /* the first letter */
	struct timer *timer;
	uint64_t ticks;
};
static struct operation *operations;
static size_t number, begin;

static void load(const char *path) {
	FILE *f = must(fopen(path, "r"));
	char line[128];
	size_t most = 0, starts = 0;
	number = begin = expired_number = 0;
	free(operations);
	free(expiries);
	operations = NULL;
	expiries = NULL;
	forget();
	while (fgets(line, sizeof line, f)) {
		uint64_t id = 0, ticks = 0, name;
		if (line[0] == 'b') {
			begin = number;
			continue;
		}
		if (line[0] == 't')
			sscanf(line, "tick %" SCNu64, &ticks);
		else if (line[0] == 'r')
			sscanf(line, "restart %" SCNu64 " %" SCNu64 " %" SCNu64, &id, &name, &ticks);
		else
			sscanf(line, "%*s %" SCNu64 " %" SCNu64, &id, &ticks);
		if (number == most)
			operations = must(realloc(operations, (most = 2 * most + 1024) * sizeof *operations));
		operations[number++] = (struct operation){line[0] == 's' && line[2] == 'o' ? 'o' : line[0],
			line[0] == 't' ? NULL : timer_of(id), ticks};
		starts += line[0] != 't';
	}
	fclose(f);
	expiries = must(malloc((starts + 1) * sizeof *expiries));
}

static void run(size_t from, size_t to) {
	for (; from < to; from++) {
		struct operation *o = &operations[from];
		switch (o->kind) {
		case 't':
			for (uint64_t n = o->ticks; n > 0; n--) {
				now++;
				library_tick();
			}
			break;
		case 'o':
			library_stop(o->timer);
			break;
		default:
			library_start(o->timer, o->ticks);
		}
	}
}

static uint64_t cpu_time(void) {
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec * UINT64_C(1000000000) + t.tv_nsec;
}

static uint64_t mix(uint64_t x) {
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
	x = (x ^ x >> 27) * 0x94d049bb133111eb;
	return x ^ x >> 31;
}

int main(void) {
	char *line = NULL, answer[256];
	size_t most = 0;
	ssize_t n;
	library_new();
	while ((n = getline(&line, &most, stdin)) > 0) {
		uint64_t id, ticks, sum = 0;
		int at = 0;
		line[strcspn(line, "\n")] = 0;
		length = 0;
		say("ok");
		if (!strncmp(line, "hello", 5)) {
			length = 0;
			say("hello 1 ");
			say(hello());
		} else if (!strncmp(line, "new", 3)) {
			free(expiries);
			expiries = NULL;
			forget();
		} else if (sscanf(line, "action %" SCNu64 " %n", &id, &at) == 1) {
			free(name_of(timer_of(id))->action);
			name_of(timer_of(id))->action = must(strdup(line + at));
		} else if (sscanf(line, "tick %" SCNu64, &ticks) == 1) {
			for (passing = 1; passing <= ticks; passing++) {
				now++;
				library_tick();
			}
		} else if (!strncmp(line, "load ", 5)) {
			load(line + 5);
			run(0, begin);
		} else if (!strcmp(line, "run")) {
			uint64_t before = cpu_time();
			run(begin, number);
			snprintf(answer, sizeof answer, " %" PRIu64, cpu_time() - before);
			say(answer);
		} else if (!strcmp(line, "outcome")) {
			for (size_t i = 0; i < expired_number; i++)
				sum += mix(expiries[i].tick * 0x9e3779b97f4a7c15 + expiries[i].id);
			snprintf(answer, sizeof answer, " %zu %" PRIu64, expired_number, sum);
			say(answer);
		} else {
			const char *said = do_line(line);
			length = 0;
			say(said);
		}
		puts(text);
		fflush(stdout);
	}
	return 0;
}
