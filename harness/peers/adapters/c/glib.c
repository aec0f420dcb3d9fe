/* GLib: one GSource of g_timeout_source_new for each start, on a context of its own. A context looks at all its sources. */
#define LONGEST 4294967295
#include "adapter.h"

#include <glib.h>

struct timer {
	struct name name;
	GSource *source; /* NULL: it has not started, or has ended */
};

static GMainContext *context;

static const char *hello(void) {
	static char text[100];
	snprintf(text, sizeof text, "glib %u.%u.%u range=4294967295 restart stale action order run", glib_major_version,
		glib_minor_version, glib_micro_version);
	return text;
}

static void library_new(void) {
	if (context)
		g_main_context_unref(context);
	context = g_main_context_new();
}

static struct timer *library_make(void) { return must(calloc(1, sizeof(struct timer))); }

static int library_stop(struct timer *t) {
	if (!t->source)
		return 0;
	int pending = !g_source_is_destroyed(t->source);
	g_source_destroy(t->source);
	g_source_unref(t->source);
	t->source = NULL;
	return pending;
}

static void library_free(struct timer *t) {
	library_stop(t);
	free(t);
}

static gboolean callback(gpointer timer) {
	struct timer *t = timer;
	g_source_unref(t->source);
	t->source = NULL;
	expired(t);
	return G_SOURCE_REMOVE;
}

static void library_start(struct timer *t, uint64_t ticks) {
	library_stop(t);
	t->source = g_timeout_source_new(ticks);
	g_source_set_callback(t->source, callback, t, NULL);
	g_source_attach(t->source, context);
}

static void library_tick(void) { g_main_context_iteration(context, FALSE); }
