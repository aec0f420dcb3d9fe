/* libuv: one uv_timer_t for each timer, in a heap. */
#define LONGEST INT64_MAX
#include "adapter.h"

#include <uv.h>

struct timer {
	struct name name;
	uv_timer_t uv;
};

static uv_loop_t *loop;

static const char *hello(void) {
	static char text[100];
	snprintf(text, sizeof text, "libuv %s restart stale action order run", uv_version_string());
	return text;
}

static void library_new(void) {
	if (loop) {
		uv_run(loop, UV_RUN_NOWAIT); /* closes handles */
		uv_loop_close(loop);
	}
	free(loop);
	loop = must(malloc(sizeof *loop));
	uv_loop_init(loop);
}

static void callback(uv_timer_t *uv) { expired(uv->data); }

static struct timer *library_make(void) {
	struct timer *t = must(calloc(1, sizeof *t));
	uv_timer_init(loop, &t->uv);
	t->uv.data = t;
	return t;
}

static void closed(uv_handle_t *uv) { free(uv->data); }

static void library_free(struct timer *t) { uv_close((uv_handle_t *)&t->uv, closed); }

static void library_start(struct timer *t, uint64_t ticks) { uv_timer_start(&t->uv, callback, ticks, 0); }

static int library_stop(struct timer *t) { return uv_is_active((uv_handle_t *)&t->uv) && uv_timer_stop(&t->uv) == 0; }

static void library_tick(void) { uv_run(loop, UV_RUN_NOWAIT); }
