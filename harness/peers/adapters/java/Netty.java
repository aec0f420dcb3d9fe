import io.netty.util.HashedWheelTimer;
import io.netty.util.Timeout;
import io.netty.util.Version;
import java.util.concurrent.TimeUnit;

/** Netty's wheel, of 512 slots. It has a file of its own so that the others are compiled without Netty. */
final class Netty {
    /**
     * Opens a wheel with a tick of the protocol's length. "This timer does not execute the scheduled TimerTask on time.
     * HashedWheelTimer, on every tick, will check if there are any TimerTasks behind the schedule and execute them", says its
     * documentation: a timer waits for the first tick after it is due, so that it may be late by one.
     */
    static Adapter.Library open() {
        HashedWheelTimer wheel = new HashedWheelTimer(Adapter.TICK, TimeUnit.MILLISECONDS);
        String version = Version.identify().get("netty-common").artifactVersion();
        return new Adapter.Library(version, " late=" + Adapter.TICK + "ms", (callback, milliseconds) -> {
            Timeout timeout = wheel.newTimeout(expired -> callback.run(), milliseconds, TimeUnit.MILLISECONDS);
            return timeout::cancel;
        }, wheel::stop);
    }
}
