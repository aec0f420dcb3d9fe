import com.sun.management.OperatingSystemMXBean;
import io.netty.util.HashedWheelTimer;
import io.netty.util.Timeout;
import io.netty.util.TimerTask;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Timers measures two timer facilities of the JVM, Netty's HashedWheelTimer and the
 * JDK's ScheduledThreadPoolExecutor, and prints the Go benchmark format.
 *
 * Times are CPU time of the whole process: Netty's start and stop leave most of their
 * work to the wheel's thread, so a clock around the calls would miss it. T is the
 * mean interval in milliseconds, for every facility, whatever its tick.
 *
 * PairHot   start a timer and stop that same one, n outstanding
 * PairCold  4096 random outstanding timers are stopped, then 1000 others are
 *           started and stopped, then 4096 are started in the stopped ones' place;
 *           nanoseconds a pair, of all 5096
 * Hold      each timer that expires starts again in its action; nanoseconds a
 *           lifetime, and the expiries in percent of n/T
 *
 * Arguments: numbers of timers (default 100000 1000000), or --quick: a smoke test.
 */
public final class Timers {
    /** A timer facility on the real clock. Delays are in milliseconds. */
    interface Facility {
        Object start(Task task, long delay);
        void stop(Object timer);
        /** Waits until the facility's thread has taken over so many starts. */
        void settle(long starts) throws InterruptedException;
        void close() throws InterruptedException;
    }

    /** What a timer does. It is one object for the life of the client's timer. */
    abstract static class Task implements Runnable, TimerTask {
        @Override public final void run(Timeout timeout) { run(); }
    }

    static final Task NOTHING = new Task() {
        @Override public void run() { }
    };

    static final class Netty implements Facility {
        final HashedWheelTimer timer;
        final long tick;

        Netty(long tick, int slots) {
            this.tick = tick;
            timer = new HashedWheelTimer(Executors.defaultThreadFactory(), tick, TimeUnit.MILLISECONDS, slots);
            timer.start();
        }

        @Override public Object start(Task task, long delay) {
            return timer.newTimeout(task, delay, TimeUnit.MILLISECONDS);
        }

        @Override public void stop(Object t) { ((Timeout) t).cancel(); }

        /** On each tick the wheel takes over at most 100,000 starts. */
        @Override public void settle(long starts) throws InterruptedException {
            Thread.sleep((starts / 100_000 + 3) * tick);
        }

        @Override public void close() { timer.stop(); }
    }

    static final class Pool implements Facility {
        final ScheduledThreadPoolExecutor pool = new ScheduledThreadPoolExecutor(1);

        Pool() { pool.setRemoveOnCancelPolicy(true); }

        @Override public Object start(Task task, long delay) {
            return pool.schedule((Runnable) task, delay, TimeUnit.MILLISECONDS);
        }

        @Override public void stop(Object t) { ((ScheduledFuture<?>) t).cancel(false); }

        @Override public void settle(long starts) { }

        @Override public void close() throws InterruptedException {
            pool.shutdownNow();
            pool.awaitTermination(10, TimeUnit.SECONDS);
        }
    }

    static final String[] SCHEMES = {"netty-hashedwheel", "netty-hashedwheel-tuned", "jdk-scheduledpool"};

    /** The default, then a wheel that goes round in more than the mean interval of Hold. */
    static Facility open(String scheme) {
        switch (scheme) {
            case "netty-hashedwheel": return new Netty(100, 512);
            case "netty-hashedwheel-tuned": return new Netty(1, 16384);
            default: return new Pool();
        }
    }

    /** Exponential intervals of a mean, at least 1 ms: 65,536 quantiles in random order. */
    static final class Intervals {
        final int[] table = new int[1 << 16];
        long state;
        int at;

        Intervals(long mean, long seed) {
            state = seed;
            for (int i = 0; i < table.length; i++) {
                double u = (i + 0.5) / table.length;
                table[i] = (int) Math.max(1, Math.round(-Math.log(1 - u) * mean));
            }
            for (int i = table.length - 1; i > 0; i--) {
                int j = below(i + 1);
                int x = table[i];
                table[i] = table[j];
                table[j] = x;
            }
        }

        int next() { return table[at++ & (table.length - 1)]; }

        /** A random number below n, by a linear congruence. */
        int below(int n) {
            state = state * 6364136223846793005L + 1442695040888963407L;
            return (int) (((state >>> 32) * n) >>> 32);
        }
    }

    static final OperatingSystemMXBean OS = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    static final Path THREADS = Path.of("/proc/self/task");
    static final boolean PER_THREAD = Files.exists(Path.of("/proc/self/schedstat"));

    /**
     * CPU time of the process, in nanoseconds. The bean's has a resolution of 10 ms
     * on Linux, a fifth of what some rounds take; so there the times of all
     * threads are added up, the garbage collector's included. A thread that runs is
     * accounted for when it is switched, hence the short sleep.
     */
    static long cpu() throws InterruptedException {
        if (!PER_THREAD) {
            return OS.getProcessCpuTime();
        }
        Thread.sleep(1);
        long sum = 0;
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(THREADS)) {
            for (Path thread : threads) {
                sum += cpuOf(thread);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return sum;
    }

    static long cpuOf(Path thread) {
        try {
            String stat = Files.readString(thread.resolve("schedstat"));
            return Long.parseLong(stat.substring(0, stat.indexOf(' ')));
        } catch (IOException ended) {
            return 0; // a compiler's thread, most likely, idle for long
        }
    }

    // What --quick makes small.
    static int rounds = 5;
    static int warmups = 2;
    static int hot = 2_000_000;
    static int batches = 128;
    static long holdMillis = 4000;
    static long holdMean = 10_000;
    static final long PAIR_MEAN = 1_000_000; // hardly a timer expires meanwhile

    public static void main(String[] args) throws InterruptedException {
        int[] sizes = {100_000, 1_000_000};
        if (args.length == 1 && args[0].equals("--quick")) {
            quick();
            sizes = new int[] {2000};
        } else if (args.length > 0) {
            sizes = Arrays.stream(args).mapToInt(Integer::parseInt).toArray();
        }
        header();
        for (int n : sizes) {
            for (String scheme : SCHEMES) {
                pairs(scheme, n);
                hold(scheme, n);
            }
        }
    }

    static void quick() {
        rounds = 1;
        warmups = 0;
        hot = 20_000;
        batches = 2;
        holdMillis = 1500;
        holdMean = 1000;
    }

    static void header() {
        List<String> collectors = new ArrayList<>();
        for (GarbageCollectorMXBean b : ManagementFactory.getGarbageCollectorMXBeans()) {
            collectors.add(b.getName());
        }
        String netty = HashedWheelTimer.class.getPackage().getImplementationVersion();
        System.out.println("java: " + System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"));
        System.out.println("gc: " + String.join(", ", collectors));
        System.out.println("netty: " + (netty == null ? "unknown" : netty));
        System.out.println("cores: " + Runtime.getRuntime().availableProcessors());
        System.out.println("heap: " + (Runtime.getRuntime().maxMemory() >> 20) + " MiB at most");
    }

    /** Fills a facility and does the rounds of both kinds of pairs. */
    static void pairs(String scheme, int n) throws InterruptedException {
        Intervals intervals = new Intervals(PAIR_MEAN, 1);
        Facility f = open(scheme);
        Object[] timers = new Object[n];
        for (int i = 0; i < n; i++) {
            timers[i] = f.start(NOTHING, intervals.next());
        }
        f.settle(n);
        for (int round = -warmups; round < rounds; round++) {
            double perHot = hotRound(f, intervals);
            double perCold = coldRound(f, timers, intervals);
            if (round >= 0) {
                print("PairHot", scheme, n, PAIR_MEAN, hot, perHot, "");
                print("PairCold", scheme, n, PAIR_MEAN, batches * (batch(n) + 1000L), perCold, "");
            }
        }
        f.close();
    }

    static double hotRound(Facility f, Intervals intervals) throws InterruptedException {
        long began = cpu();
        others(f, intervals, hot);
        f.settle(hot);
        return (cpu() - began) / (double) hot;
    }

    static void others(Facility f, Intervals intervals, int n) {
        for (int i = 0; i < n; i++) {
            f.stop(f.start(NOTHING, intervals.next()));
        }
    }

    static int batch(int n) { return Math.min(4096, n / 2); }

    static double coldRound(Facility f, Object[] timers, Intervals intervals) throws InterruptedException {
        int size = batch(timers.length);
        int[] stopped = new int[size];
        long began = cpu();
        for (int b = 0; b < batches; b++) {
            for (int i = 0; i < size; ) {
                int k = intervals.below(timers.length);
                if (timers[k] != null) {
                    f.stop(timers[k]);
                    timers[k] = null;
                    stopped[i++] = k;
                }
            }
            others(f, intervals, 1000);
            for (int k : stopped) {
                timers[k] = f.start(NOTHING, intervals.next());
            }
        }
        long pairs = (long) batches * (size + 1000);
        f.settle(pairs);
        return (cpu() - began) / (double) pairs;
    }

    /** A timer that starts again, on the facility's own thread. */
    static final class Again extends Task {
        final Facility facility;
        final Intervals intervals;
        final AtomicLong expired;

        Again(Facility facility, Intervals intervals, AtomicLong expired) {
            this.facility = facility;
            this.intervals = intervals;
            this.expired = expired;
        }

        @Override public void run() {
            expired.lazySet(expired.get() + 1);
            try {
                facility.start(this, intervals.next());
            } catch (RuntimeException closed) {
                // the facility is closing
            }
        }
    }

    static void hold(String scheme, int n) throws InterruptedException {
        Facility f = open(scheme);
        AtomicLong expired = new AtomicLong();
        Intervals first = new Intervals(holdMean, 2);
        Intervals later = new Intervals(holdMean, 3);
        for (int i = 0; i < n; i++) {
            f.start(new Again(f, later, expired), first.next());
        }
        f.settle(n);
        for (int round = -warmups; round < rounds; round++) {
            long cpu = cpu();
            long wall = System.nanoTime();
            long before = expired.get();
            Thread.sleep(holdMillis);
            long lifetimes = expired.get() - before;
            double millis = (System.nanoTime() - wall) / 1e6;
            double nanos = (double) (cpu() - cpu) / Math.max(1, lifetimes);
            double percent = 100 * lifetimes / (millis * n / holdMean);
            if (round >= 0) {
                print("Hold", scheme, n, holdMean, lifetimes, nanos, String.format(Locale.ROOT, " %.1f expiries-%%", percent));
            }
        }
        f.close();
    }

    static void print(String work, String scheme, int n, long mean, long count, double nanos, String more) {
        System.out.println(String.format(Locale.ROOT, "Benchmark%s/scheme=%s/n=%s/T=%s %d %.1f ns/op%s",
            work, scheme, si(n), si(mean), count, nanos, more));
    }

    /** 100k, 1M: as in the names of all benchmarks. */
    static String si(long n) {
        if (n >= 1_000_000 && n % 1_000_000 == 0) {
            return n / 1_000_000 + "M";
        }
        return n >= 1000 && n % 1000 == 0 ? n / 1000 + "k" : Long.toString(n);
    }
}
