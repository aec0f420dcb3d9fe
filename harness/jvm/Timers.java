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
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Timers measures Netty's HashedWheelTimer, as its constructor without arguments makes it, and the
 * JDK's ScheduledThreadPoolExecutor, and prints the Go benchmark format. Arguments:
 *
 * peers     the operations of harness/peers, from one thread. Times are CPU time of the whole
 *           process: Netty's start and stop leave most of their work to the wheel's thread, so a
 *           clock around the calls would miss it. T is the mean interval in milliseconds.
 *             PairHot   start a timer and stop that same one, n outstanding
 *             PairCold  4096 random outstanding timers are stopped, then 1000 others are started and
 *                       stopped, then 4096 are started in the stopped ones' place; nanoseconds a
 *                       pair, of all 5096
 *             Hold      each timer that expires starts again in its action; nanoseconds a lifetime,
 *                       and the expiries in percent of n/T
 * services  the operations of systems/bench: StartStop and Replace by the clock on the wall, all
 *           threads together, and Late with nothing else to do
 * --quick   after either: a smoke test
 */
public final class Timers {
    /** A timer service on the real clock. */
    interface Service {
        Object start(Task task, long micros);
        boolean stop(Object timer);
        /** Milliseconds until so many starts have reached the service's own thread. */
        long settles(long starts);
        void close() throws InterruptedException;
    }

    /** What a timer does. It is one object for the life of the client's timer. */
    abstract static class Task implements Runnable, TimerTask {
        @Override public final void run(Timeout timeout) { run(); }
    }

    static final Task NOTHING = new Task() {
        @Override public void run() { }
    };

    static final class Netty implements Service {
        static final long TICK = 100; // ms
        final HashedWheelTimer timer = new HashedWheelTimer(TICK, TimeUnit.MILLISECONDS, 512);

        @Override public Object start(Task task, long micros) {
            return timer.newTimeout(task, micros, TimeUnit.MICROSECONDS);
        }

        @Override public boolean stop(Object t) { return ((Timeout) t).cancel(); }

        /** On each tick the wheel takes over at most 100,000 starts. */
        @Override public long settles(long starts) { return (starts / 100_000 + 3) * TICK; }

        @Override public void close() { timer.stop(); }
    }

    static final class Pool implements Service {
        final ScheduledThreadPoolExecutor pool;

        Pool(int threads) {
            pool = new ScheduledThreadPoolExecutor(threads);
            pool.setRemoveOnCancelPolicy(true);
        }

        @Override public Object start(Task task, long micros) {
            return pool.schedule((Runnable) task, micros, TimeUnit.MICROSECONDS);
        }

        @Override public boolean stop(Object t) { return ((ScheduledFuture<?>) t).cancel(false); }

        @Override public long settles(long starts) { return 0; }

        @Override public void close() throws InterruptedException {
            pool.shutdownNow();
            pool.awaitTermination(10, TimeUnit.SECONDS);
        }
    }

    static Service open(String name, int threads) {
        return name.contains("netty") ? new Netty() : new Pool(threads);
    }

    static boolean quick;

    static int of(int full, int small) { return quick ? small : full; }

    public static void main(String[] args) throws Exception {
        quick = Arrays.asList(args).contains("--quick");
        header();
        switch (args[0]) {
            case "peers":
                for (int n : quick ? new int[] {2000} : new int[] {100_000, 1_000_000}) {
                    for (String scheme : new String[] {"netty-hashedwheel", "jdk-scheduledpool"}) {
                        pairs(scheme, n);
                        hold(scheme, n);
                    }
                }
                break;
            case "services":
                for (String name : new String[] {"jvm-netty", "jvm-pool"}) {
                    for (int n : quick ? new int[] {1000} : new int[] {10_000, 1_000_000}) {
                        throughput(name, n);
                    }
                    for (int round = 0; round < of(6, 1); round++) {
                        late(name, round);
                    }
                }
                break;
            default:
                throw new IllegalArgumentException(args[0] + " (use peers or services)");
        }
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
        System.out.println("heap: " + (Runtime.getRuntime().maxMemory() >> 20) + " MiB at most");
    }

    /** 100k, 1M: as in the names of all benchmarks. */
    static String si(long n) {
        if (n % 1_000_000 == 0) {
            return n / 1_000_000 + "M";
        }
        return n % 1000 == 0 ? n / 1000 + "k" : Long.toString(n);
    }

    static void print(String name, long count, String values) {
        System.out.println("Benchmark" + name + " " + count + " " + values);
    }

    static String nanos(double perOp) { return String.format(Locale.ROOT, "%.1f ns/op", perOp); }

    // The operations of harness/peers.

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
                try {
                    String stat = Files.readString(thread.resolve("schedstat"));
                    sum += Long.parseLong(stat.substring(0, stat.indexOf(' ')));
                } catch (IOException ended) {
                    // a compiler's thread, most likely, idle for long
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return sum;
    }

    /** Exponential intervals of a mean, at least 1 ms: 65,536 quantiles in random order, in microseconds. */
    static final class Intervals {
        final long[] table = new long[1 << 16];
        int at;

        Intervals(long meanMillis, long seed) {
            SplittableRandom random = new SplittableRandom(seed);
            for (int i = 0; i < table.length; i++) {
                long interval = 1000 * Math.max(1, Math.round(-Math.log(1 - (i + 0.5) / table.length) * meanMillis));
                int j = random.nextInt(i + 1);
                table[i] = table[j];
                table[j] = interval;
            }
        }

        long next() { return table[at++ & (table.length - 1)]; }
    }

    static final long PAIR_MEAN = 1_000_000; // hardly a timer expires meanwhile
    static final int OTHERS = 1000;

    /** Fills a service and does the rounds of both kinds of pairs. */
    static void pairs(String scheme, int n) throws InterruptedException {
        Intervals intervals = new Intervals(PAIR_MEAN, 1);
        SplittableRandom random = new SplittableRandom(2);
        Service s = open(scheme, 1);
        Object[] timers = new Object[n];
        for (int i = 0; i < n; i++) {
            timers[i] = s.start(NOTHING, intervals.next());
        }
        Thread.sleep(s.settles(n));
        int hot = of(2_000_000, 20_000), size = Math.min(4096, n / 2);
        long cold = of(128, 2) * (size + (long) OTHERS);
        String rest = "/scheme=" + scheme + "/n=" + si(n) + "/T=" + si(PAIR_MEAN);
        for (int round = of(-2, 0); round < of(5, 1); round++) {
            long began = cpu();
            others(s, intervals, hot);
            Thread.sleep(s.settles(hot));
            double perHot = (cpu() - began) / (double) hot;
            began = cpu();
            for (long done = 0; done < cold; done += size + OTHERS) {
                restartSome(s, timers, new int[size], intervals, random);
            }
            Thread.sleep(s.settles(cold));
            double perCold = (cpu() - began) / (double) cold;
            if (round >= 0) {
                print("PairHot" + rest, hot, nanos(perHot));
                print("PairCold" + rest, cold, nanos(perCold));
            }
        }
        s.close();
    }

    static void others(Service s, Intervals intervals, int n) {
        for (int i = 0; i < n; i++) {
            s.stop(s.start(NOTHING, intervals.next()));
        }
    }

    static void restartSome(Service s, Object[] timers, int[] stopped, Intervals intervals, SplittableRandom random) {
        for (int i = 0; i < stopped.length; ) {
            int k = random.nextInt(timers.length);
            if (timers[k] != null) {
                s.stop(timers[k]);
                timers[k] = null;
                stopped[i++] = k;
            }
        }
        others(s, intervals, OTHERS);
        for (int k : stopped) {
            timers[k] = s.start(NOTHING, intervals.next());
        }
    }

    static void hold(String scheme, int n) throws InterruptedException {
        Service s = open(scheme, 1);
        AtomicLong expired = new AtomicLong();
        long mean = of(10_000, 1000);
        Intervals first = new Intervals(mean, 2), later = new Intervals(mean, 3);
        for (int i = 0; i < n; i++) {
            s.start(new Task() { // on the service's own thread
                @Override public void run() {
                    expired.lazySet(expired.get() + 1);
                    try {
                        s.start(this, later.next());
                    } catch (RuntimeException closed) {
                        // the service is closing
                    }
                }
            }, first.next());
        }
        Thread.sleep(s.settles(n));
        for (int round = of(-2, 0); round < of(5, 1); round++) {
            long cpu = cpu(), wall = System.nanoTime(), before = expired.get();
            Thread.sleep(of(4000, 1500));
            long lifetimes = expired.get() - before;
            double millis = (System.nanoTime() - wall) / 1e6;
            double perLife = (double) (cpu() - cpu) / Math.max(1, lifetimes);
            if (round >= 0) {
                print("Hold/scheme=" + scheme + "/n=" + si(n) + "/T=" + si(mean), lifetimes, nanos(perLife)
                    + String.format(Locale.ROOT, " %.1f expiries-%%", 100 * lifetimes / (millis * n / mean)));
            }
        }
        s.close();
    }

    // The operations of systems/bench.

    /** Half an hour to one and a half, in microseconds. */
    static long pending(SplittableRandom random) { return 1_800_000_000L + random.nextLong(3_600_000_000L); }

    static void throughput(String name, int n) throws Exception {
        Service s = open(name, Runtime.getRuntime().availableProcessors());
        Object[] timers = new Object[n];
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < n; i++) {
            timers[i] = s.start(NOTHING, pending(random));
        }
        Thread.sleep(s.settles(n));
        for (String op : new String[] {"StartStop", "Replace"}) {
            for (int g : quick ? new int[] {2} : new int[] {1, 2, 4, 8, 64}) {
                contend(s, op, name, timers, g);
            }
        }
        s.close();
    }

    /** Lets threads repeat an operation, and prints the samples. */
    static void contend(Service s, String op, String name, Object[] timers, int g) throws Exception {
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
                        if (op.equals("StartStop")) {
                            if (!s.stop(s.start(NOTHING, pending(random)))) {
                                wrong.incrementAndGet();
                            }
                            continue;
                        }
                        if (!s.stop(timers[at])) {
                            wrong.incrementAndGet();
                        }
                        timers[at] = s.start(NOTHING, pending(random));
                        at = at + 1 == to ? from : at + 1;
                    }
                }
            });
            all[i].start();
        }
        Thread.sleep(of(700, 20)); // for the compiler
        for (int sample = 0; sample < of(6, 1); sample++) {
            long began = System.nanoTime(), before = sum(done);
            Thread.sleep(of(300, 20));
            long ops = sum(done) - before;
            double perOp = (System.nanoTime() - began) / (double) Math.max(ops, 1);
            String key = op + "/facility=" + name + "/n=" + si(timers.length) + "/g=" + g;
            if (wrong.get() > 0 || ops == 0) {
                System.out.println("failed " + key + ": " + wrong + " pending timers could not be stopped, of " + ops);
            } else {
                print(key, ops, nanos(perOp));
            }
        }
        over.set(true);
        for (Thread t : all) {
            t.join();
        }
    }

    static long sum(AtomicLong[] counts) { return Arrays.stream(counts).mapToLong(AtomicLong::get).sum(); }

    /** Timers started every 500 us for 5 to 500 ms: how late do they run, by a schedule made before? */
    static void late(String name, int round) throws Exception {
        Service s = open(name, Runtime.getRuntime().availableProcessors());
        SplittableRandom random = new SplittableRandom(round);
        long[] late = new long[of(6000, 100)];
        CountDownLatch waiting = new CountDownLatch(late.length);
        long began = System.nanoTime();
        for (int i = 0; i < late.length; i++) {
            int at = i;
            long start = began + i * 500_000L;
            long meant = start + 5_000_000L + random.nextLong(495_000_000L);
            long wait = start - System.nanoTime();
            if (wait > 0) {
                TimeUnit.NANOSECONDS.sleep(wait);
            }
            s.start(new Task() {
                @Override public void run() {
                    late[at] = System.nanoTime() - meant;
                    waiting.countDown();
                }
            }, (meant - System.nanoTime() + 999) / 1000);
        }
        String key = "Late/facility=" + name + "/n=" + si(late.length) + "/load=idle";
        if (!waiting.await(60, TimeUnit.SECONDS)) {
            System.out.println("failed " + key + ": an action had not run a minute after the last start");
        }
        s.close();
        Arrays.sort(late);
        long early = Arrays.stream(late).filter(l -> l < 0).count();
        print(key, late.length, String.format(Locale.ROOT,
            "%.0f late-ns %d late-p50-ns %d late-p99-ns %d late-p99.9-ns %d late-max-ns %d early-timers",
            Arrays.stream(late).average().orElse(0), at(late, 0.5), at(late, 0.99), at(late, 0.999),
            late[late.length - 1], early));
    }

    static long at(long[] sorted, double q) { return sorted[Math.min(sorted.length - 1, (int) (q * sorted.length))]; }
}
