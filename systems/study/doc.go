// Package study has five timer services that articles and libraries made known, each the smallest model of its
// original that can be measured beside the services of use: Netty's HashedWheelTimer (Netty), the timer of Kafka's
// purgatory (Kafka), the hierarchical wheel that articles explain first (Multilevel), java.util.Timer (JavaTimer) and
// ScheduledThreadPoolExecutor (ScheduledExecutor). They are not for use: package sharded and package locked are.
//
// All of them pass TestRules of package systems but for the rules that the originals break, which it
// lists. What differs from an original is said at its constructor, and this of all five:
//
//   - A task of the originals is started once. Here a Reset is a cancel and another start.
//   - The originals hand back what a shutdown finds (Netty's stop and the JDK's shutdownNow return the
//     tasks, and by default a ScheduledThreadPoolExecutor runs those that wait). Here Close drops them
//     and returns their number.
//   - Of systems.Options, Execute has no effect. A panic does what an exception does in the original,
//     after Options.Panic was called with its value: Netty logs it, the executors keep it in the task's
//     future, Kafka's thread is replaced, and java.util.Timer ends.
//   - Stop works until the action begins. In Kafka, it does nothing once the task was submitted.
//   - The clock is the monotonic one. java.util.Timer follows the steps of the wall clock.
//
// Periodic tasks, purges, thread factories and pools that grow are left out.
package study
