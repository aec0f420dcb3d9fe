import io.netty.util.HashedWheelTimer;
import io.netty.util.Timeout;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Facilities measures Netty's HashedWheelTimer and the JDK's ScheduledThreadPoolExecutor on
 * the operations of package bench, and prints the Go benchmark format: StartStop and Replace
 * by the clock on the wall, all threads together, and Late with nothing else to do.
 *
 * Argument: --quick for a smoke test.
 */
public final class Facilities {
    /** A timer facility on the real clock. */
    interface Facility {
        Object start(Runnable action, long micros);
        boolean stop(Object timer);
        /** Milliseconds until so many starts have reached the wheel. */
        long settles(int starts);
        void close() throws InterruptedException;
    }

    static final class Netty implements Facility {
        final HashedWheelTimer timer;
        final long tick;

        Netty(long tick, int slots) {
            this.tick = tick;
            timer = new HashedWheelTimer(tick, TimeUnit.MILLISECONDS, slots);
        }

        @Override public Object start(Runnable action, long micros) {
            return timer.newTimeout(timeout -> action.run(), micros, TimeUnit.MICROSECONDS);
        }

        @Override public boolean stop(Object t) { return ((Timeout) t).cancel(); }

        @Override public long settles(int starts) { return (starts / 100_000 + 3) * tick; }

        @Override public void close() { timer.stop(); }
    }

    static final class Pool implements Facility {
        final ScheduledThreadPoolExecutor pool = new ScheduledThreadPoolExecutor(Runtime.getRuntime().availableProcessors());

        Pool() { pool.setRemoveOnCancelPolicy(true); }

        @Override public Object start(Runnable action, long micros) { return pool.schedule(action, micros, TimeUnit.MICROSECONDS); }

        @Override public boolean stop(Object t) { return ((ScheduledFuture<?>) t).cancel(false); }

        @Override public long settles(int starts) { return 0; }

        @Override public void close() throws InterruptedException {
            pool.shutdownNow();
            pool.awaitTermination(10, TimeUnit.SECONDS);
        }
    }

    static final String[] NAMES = {"jvm-netty", "jvm-netty-1ms", "jvm-pool"};

    static Facility open(String name) {
        switch (name) {
            case "jvm-netty": return new Netty(100, 512);
            case "jvm-netty-1ms": return new Netty(1, 16384);
            default: return new Pool();
        }
    }

    static int[] sizes = {10_000, 1_000_000};
    static int[] threads = {1, 2, 4, 8, 64};
    static int samples = 6;
    static long warmUp = 700; // ms, for the compiler
    static long timed = 300;
    static int lateTimers = 6000;

    static final Runnable NOTHING = () -> { };

    public static void main(String[] args) throws Exception {
        if (args.length == 1 && args[0].equals("--quick")) {
            sizes = new int[] {1000};
            threads = new int[] {2};
            samples = 1;
            warmUp = timed = 20;
            lateTimers = 100;
        }
        for (String name : NAMES) {
            for (int n : sizes) {
                throughput(name, n);
            }
            for (int round = 0; round < samples; round++) {
                late(name, round);
            }
        }
    }

    /** Half an hour to one and a half, in microseconds. */
    static long pending(SplittableRandom random) { return 1_800_000_000L + random.nextLong(3_600_000_000L); }

    static void throughput(String name, int n) throws Exception {
        Facility f = open(name);
        Object[] timers = new Object[n];
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < n; i++) {
            timers[i] = f.start(NOTHING, pending(random));
        }
        Thread.sleep(f.settles(n));
        for (String work : new String[] {"StartStop", "Replace"}) {
            for (int g : threads) {
                run(f, work, name, timers, g);
            }
        }
        f.close();
    }

    /** Lets threads repeat an operation, and prints the samples. */
    static void run(Facility f, String work, String name, Object[] timers, int g) throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        AtomicLong[] done = new AtomicLong[g];
        Thread[] all = new Thread[g];
        AtomicLong wrong = new AtomicLong();
        for (int i = 0; i < g; i++) {
            AtomicLong mine = done[i] = new AtomicLong();
            int from = (int) ((long) i * timers.length / g), to = (int) ((long) (i + 1) * timers.length / g);
            all[i] = new Thread(() -> {
                SplittableRandom random = new SplittableRandom(from + 2);
                for (int at = from; !over.get(); mine.lazySet(mine.get() + 32)) {
                    for (int k = 0; k < 32; k++) {
                        if (work.equals("StartStop")) {
                            if (!f.stop(f.start(NOTHING, pending(random)))) {
                                wrong.incrementAndGet();
                            }
                            continue;
                        }
                        if (!f.stop(timers[at])) {
                            wrong.incrementAndGet();
                        }
                        timers[at] = f.start(NOTHING, pending(random));
                        at = at + 1 == to ? from : at + 1;
                    }
                }
            });
            all[i].start();
        }
        Thread.sleep(warmUp);
        for (int s = 0; s < samples; s++) {
            long began = System.nanoTime(), before = sum(done);
            Thread.sleep(timed);
            long ops = sum(done) - before;
            double nanos = (System.nanoTime() - began) / (double) Math.max(ops, 1);
            String key = String.format("%s/facility=%s/n=%s/g=%d", work, name, si(timers.length), g);
            if (wrong.get() > 0 || ops == 0) {
                System.out.println("failed " + key + ": " + wrong + " timers that wait could not be stopped, of " + ops);
            } else {
                System.out.println(String.format(Locale.ROOT, "Benchmark%s %d %.1f ns/op", key, ops, nanos));
            }
        }
        over.set(true);
        for (Thread t : all) {
            t.join();
        }
    }

    static long sum(AtomicLong[] counts) { return Arrays.stream(counts).mapToLong(AtomicLong::get).sum(); }

    /** Timers started every 500 us for 5 to 500 ms: by how much later than meant do they run? */
    static void late(String name, int round) throws Exception {
        Facility f = open(name);
        SplittableRandom random = new SplittableRandom(round);
        long[] late = new long[lateTimers];
        CountDownLatch waiting = new CountDownLatch(lateTimers);
        long began = System.nanoTime();
        for (int i = 0; i < lateTimers; i++) {
            int at = i;
            long start = began + i * 500_000L;
            long meant = start + 5_000_000L + random.nextLong(495_000_000L);
            long wait = start - System.nanoTime();
            if (wait > 0) {
                TimeUnit.NANOSECONDS.sleep(wait);
            }
            f.start(() -> { late[at] = System.nanoTime() - meant; waiting.countDown(); }, (meant - System.nanoTime() + 999) / 1000);
        }
        if (!waiting.await(60, TimeUnit.SECONDS)) {
            System.out.println("failed Late/facility=" + name + ": an action had not run a minute after the last start");
        }
        f.close();
        Arrays.sort(late);
        double mean = Arrays.stream(late).average().orElse(0);
        String key = String.format("Late/facility=%s/n=%s/load=idle", name, si(lateTimers));
        long early = Arrays.stream(late).filter(l -> l < 0).count();
        System.out.println(String.format(Locale.ROOT, "Benchmark%s %d %.0f late-ns %d late-p50-ns %d late-p99-ns %d late-p99.9-ns %d late-max-ns %d early-timers",
            key, lateTimers, mean, at(late, 0.5), at(late, 0.99), at(late, 0.999), late[late.length - 1], early));
    }

    static long at(long[] sorted, double q) { return sorted[Math.min(sorted.length - 1, (int) (q * sorted.length))]; }

    static String si(int n) {
        if (n % 1_000_000 == 0) {
            return n / 1_000_000 + "M";
        }
        return n % 1000 == 0 ? n / 1000 + "k" : Integer.toString(n);
    }
}
