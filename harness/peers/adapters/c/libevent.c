/* libevent: one event for each timer, as its book shows (evtimer_assign, evtimer_add). It keeps them in a heap. */
#define LONGEST INT64_MAX
#include "adapter.h"

#include <event2/event.h>
#include <event2/event_struct.h>

struct timer {
	struct name name;
	struct event event;
};

static struct event_base *base;

static const char *hello(void) {
	static char text[100];
	snprintf(text, sizeof text, "libevent %s restart stale action order run", event_get_version());
	return text;
}

static void library_new(void) {
	if (base)
		event_base_free(base);
	base = must(event_base_new());
}

static void callback(evutil_socket_t fd, short what, void *timer) {
	(void)fd, (void)what;
	expired(timer);
}

static struct timer *library_make(void) {
	struct timer *t = must(calloc(1, sizeof *t));
	evtimer_assign(&t->event, base, callback, t);
	return t;
}

static void library_free(struct timer *t) {
	event_del(&t->event);
	free(t);
}

static void library_start(struct timer *t, uint64_t ticks) {
	struct timeval tv = {.tv_sec = ticks / 1000, .tv_usec = ticks % 1000 * 1000};
	evtimer_add(&t->event, &tv);
}

static int library_stop(struct timer *t) { return evtimer_pending(&t->event, NULL) && evtimer_del(&t->event) == 0; }

static void library_tick(void) { event_base_loop(base, EVLOOP_NONBLOCK); }
