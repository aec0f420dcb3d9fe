import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** An adapter for the timers of Java's library, and for Netty's. The protocol is in ../README.md. */
final class Adapter {
    static final long TICK = 10; // milliseconds

    /** The longest interval in ticks, 292 years. Beyond it TimeUnit.toNanos saturates, and the timer would be early. */
    static final long RANGE = Long.MAX_VALUE / TimeUnit.MILLISECONDS.toNanos(TICK);

    /** A library, and one timer, executor or wheel of it. Promises are those that not all three libraries make. */
    record Library(String version, String promises, Scheduler scheduler, Runnable close) {}

    interface Scheduler {
        /** Schedules a callback and returns the operation that stops it and reports whether it did. */
        BooleanSupplier start(Runnable callback, long milliseconds);
    }

    static Library open(String name) throws ReflectiveOperationException {
        String java = System.getProperty("java.version");
        switch (name) {
            case "java-util-timer" -> {
                // It counts whole milliseconds of the wall clock, so that a timer may be early by less than one. Its documentation
                // does not say so: early= is not promised.
                Timer timer = new Timer();
                return new Library(java, "", (callback, milliseconds) -> {
                    TimerTask task = new TimerTask() {
                        public void run() {
                            callback.run();
                        }
                    };
                    timer.schedule(task, milliseconds);
                    return task::cancel;
                }, timer::cancel);
            }
            case "scheduled-executor" -> {
                ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1);
                executor.setRemoveOnCancelPolicy(true);
                return new Library(java, "", (callback, milliseconds) -> {
                    Future<?> future = executor.schedule(callback, milliseconds, TimeUnit.MILLISECONDS);
                    return () -> future.cancel(false);
                }, executor::shutdownNow);
            }
            case "netty" -> { // has its class if the jar was there
                return (Library) Class.forName("Netty").getDeclaredMethod("open").invoke(null);
            }
            default -> throw new IllegalArgumentException(name + " (have java-util-timer, scheduled-executor, netty)");
        }
    }

    private final Library library;
    private final Map<Long, BooleanSupplier> timers = new HashMap<>(); // also those that have ended, for the library to refuse
    private final Map<Long, String> actions = new HashMap<>();
    private final StringBuilder events = new StringBuilder();

    // The lock is the adapter. It is held around the library's start and stop, too, as no library holds a lock of its own during a
    // callback; but not around close, as Netty's waits for the callback that runs.

    Adapter(Library library) {
        this.library = library;
    }

    /** Does an operation and returns the answer. */
    synchronized String answer(String line) {
        String[] words = line.split(" ");
        long id = Long.parseLong(words[1]);
        return switch (words[0]) {
            case "start" -> start(id, Long.parseLong(words[2]));
            case "stop" -> stop(id) ? "yes" : "no";
            case "restart" -> {
                long interval = Long.parseLong(words[3]); // out of range, it stops nothing
                yield interval > RANGE || stop(id) ? start(Long.parseLong(words[2]), interval) : "no";
            }
            case "action" -> {
                actions.put(id, line.split(" ", 3)[2]);
                yield "ok";
            }
            default -> "error " + words[0] + " is not in version 1";
        };
    }

    private String start(long id, long interval) {
        if (interval > RANGE) {
            return "error interval " + interval + " (use " + RANGE + " or less)";
        }
        long began = System.nanoTime();
        timers.put(id, library.scheduler.start(() -> expire(id, began), interval * TICK));
        return "ok";
    }

    private boolean stop(long id) {
        BooleanSupplier timer = timers.get(id);
        return timer != null && timer.getAsBoolean();
    }

    /** The callback. It notes the event, and does the timer's action. */
    private void expire(long id, long began) {
        long after = System.nanoTime() - began;
        synchronized (this) {
            StringJoiner answers = new StringJoiner(",", "=", "").setEmptyValue("");
            String action = actions.remove(id);
            for (String operation : action == null ? new String[0] : action.split("; ")) {
                answers.add(answer(operation).split(" ")[0]);
            }
            events.append(' ').append(after / 1000).append(':').append(id).append(answers);
        }
    }

    /** Sleeps until a time of System.nanoTime and returns the answer to tick. */
    String pass(long until) {
        for (long left; (left = until - System.nanoTime()) > 0; ) {
            LockSupport.parkNanos(left);
        }
        long late = System.nanoTime() - until;
        synchronized (this) {
            String answer = "ok @" + late / 1000 + events;
            events.setLength(0);
            return answer;
        }
    }

    public static void main(String[] args) throws Exception {
        Adapter adapter = new Adapter(open(args[0]));
        long since = System.nanoTime(); // of the last answer to tick or new
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        for (String line; (line = lines.readLine()) != null; ) {
            String answer = "ok";
            if (line.startsWith("hello ")) {
                answer = "hello 1 " + args[0] + " " + adapter.library.version + " clock=" + TICK + "ms range=" + RANGE
                        + " stale restart action" + adapter.library.promises;
            } else if (line.equals("new")) {
                adapter.library.close.run();
                adapter = new Adapter(open(args[0]));
                since = System.nanoTime();
            } else if (line.startsWith("tick ")) {
                answer = adapter.pass(since + TimeUnit.MILLISECONDS.toNanos(Long.parseLong(line.substring(5)) * TICK));
                since = System.nanoTime();
            } else {
                answer = adapter.answer(line);
            }
            System.out.println(answer);
            System.out.flush();
        }
        System.exit(0);
    }
}
