package workload

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Preset is the demand of a known program, or kind of program.
type Preset struct {
	Name  string
	About string
	Demand
	Slots  int     // M that the program is known to use; 0: none is
	Notes  []Note  // where each field is from
	Script *Script // its timers' phases, if these are not left to chance
}

// Note is where a field of a preset is from.
type Note struct {
	Field  string
	Source string // "": assumed
}

// Assumed returns the fields that no source tells.
func (p Preset) Assumed() (fields []string) {
	for _, n := range p.Notes {
		if n.Source == "" {
			fields = append(fields, n.Field)
		}
	}
	return fields
}

// Find returns the preset of this name.
func FindPreset(name string) (Preset, error) {
	all := Presets()
	names := make([]string, len(all))
	for i, p := range all {
		if names[i] = p.Name; p.Name == name {
			return p, nil
		}
	}
	return Preset{}, badDemand("preset %q, allowed %s", name, strings.Join(names, ", "))
}

// All returns the presets, those of known programs first.
func Presets() []Preset { return slices.Concat(programPresets, adversarialPresets) }

// must reads a distribution that is written here.
func must(text string) Durations {
	d, err := ParseDurations(text)
	if err != nil {
		panic(err)
	}
	return d
}

// Sources of several fields.
const (
	netty     = "Netty, HashedWheelTimer: defaults of 100 ms and 512 slots"
	linuxTCP  = "Linux, include/net/tcp.h"
	gleixner  = "T. Gleixner, 2016: 99 % of network timers are cancelled before they expire"
	conntrack = "Linux, nf_conntrack_proto_tcp.c"
	nginx     = "nginx, documentation of its timeouts"
	ratas     = "jsnell/ratas, its benchmark"
	akka      = "Akka, reference.conf"
	mqtt      = "MQTT 3.1.2-24: one and a half times the keep-alive interval"
	rocketMQ  = "RocketMQ, documentation: 18 delay levels"
)

func sourced(source string, fields ...string) (notes []Note) {
	for _, f := range fields {
		notes = append(notes, Note{f, source})
	}
	return notes
}

func assumed(fields ...string) []Note { return sourced("", fields...) }

// one is the only class of a demand.
func single(c Class) []Class {
	c.Share = 1
	return []Class{c}
}

// Presets are those of known programs.
var programPresets = []Preset{
	{
		Name: "idle-heartbeat", About: "two million connections that are closed when they are idle for 30 s",
		Demand: Demand{2_000_000, 100 * time.Millisecond, single(Class{Name: "idle", Interval: must("const:30s"), Restart: must("uniform:8s,12s")})},
		Slots:  512,
		Notes: slices.Concat(sourced(netty, "tick", "M"), sourced("articles on long-lived connections: 30 to 60 s", "interval"),
			assumed("n", "restart every 10 s ± 20 %")),
	},
	{
		Name: "netty-idle", About: "idle handlers of a Netty server, restarted by every read",
		Demand: Demand{300_000, 100 * time.Millisecond, single(Class{Name: "idle", Interval: must("const:60s"), Restart: must("exp:5s")})},
		Slots:  512,
		Notes:  slices.Concat(sourced(netty, "n", "tick", "interval", "M"), assumed("restart exp:5s")),
	},
	{
		Name: "go-deadlines-1m", About: "a million keep-alive connections in Go, each with a read and a write deadline",
		Demand: Demand{2_000_000, time.Millisecond, single(Class{Name: "deadline", Interval: must("const:30s"), Restart: must("exp:2s")})},
		Notes:  slices.Concat(sourced("golang/go issue 15133", "n", "restart on each read and write"), assumed("tick", "interval", "restart exp:2s")),
	},
	{
		Name: "imap-160k", About: "an IMAP server's deadlines, which are sometimes moved earlier",
		Demand: Demand{160_000, time.Millisecond, single(Class{Name: "deadline", Interval: must("mix:0.3*const:10s+0.7*const:30m"), Restart: must("exp:20s")})},
		Notes:  slices.Concat(sourced("golang/go issue 41699", "n", "deadlines moved earlier"), assumed("tick", "interval", "restart exp:20s")),
	},
	{
		Name: "tcp-rto", About: "retransmission timers of TCP, nearly all stopped by an acknowledgement",
		Demand: Demand{100_000, time.Millisecond, single(Class{Name: "rto", Interval: must("mix:0.95*uniform:200ms,300ms+0.05*const:1s"), Stop: must("lognormal:30ms,60ms"), Stops: 0.99})},
		Notes: slices.Concat(sourced(linuxTCP, "tick", "interval from 200 ms, 1 s at first"), sourced(gleixner, "stops"),
			assumed("n", "interval up to 300 ms for 95 %", "stop lognormal:30ms,60ms")),
	},
	{
		Name: "tcp-all", About: "all timers of TCP: retransmission, delayed acknowledgement, TIME_WAIT, keep-alive",
		Demand: Demand{200_000, time.Millisecond, []Class{
			{Name: "rto", Share: 0.6, Interval: must("mix:0.95*uniform:200ms,300ms+0.05*const:1s"), Stop: must("lognormal:30ms,60ms"), Stops: 0.99},
			{Name: "delayed ack", Share: 0.3, Interval: must("uniform:40ms,200ms"), Stop: must("exp:10ms"), Stops: 0.9},
			{Name: "TIME_WAIT", Share: 0.01, Interval: must("const:60s")},
			{Name: "keep-alive", Share: 0.09, Interval: must("mix:0.9*const:2h+0.1*const:75s"), Restart: must("exp:30s")},
		}},
		Notes: slices.Concat(sourced(linuxTCP, "tick", "intervals"), sourced(gleixner, "stops of rto"),
			assumed("n", "shares", "stops of the others", "restart exp:30s")),
	},
	{
		Name: "conntrack", About: "connection tracking of a firewall, restarted by every packet",
		Demand: Demand{500_000, 4 * time.Millisecond, []Class{
			{Name: "established", Share: 0.9, Interval: must("const:5d"), Restart: must("exp:10s")},
			{Name: "TIME_WAIT", Share: 0.04, Interval: must("const:2m")},
			{Name: "SYN_RECV", Share: 0.03, Interval: must("const:60s"), Stop: must("exp:100ms"), Stops: 0.95},
			{Name: "LAST_ACK", Share: 0.02, Interval: must("const:30s"), Stop: must("exp:100ms"), Stops: 0.95},
			{Name: "CLOSE", Share: 0.01, Interval: must("const:10s")},
		}},
		Notes: slices.Concat(sourced(conntrack, "intervals", "restart per packet"), assumed("n", "tick", "shares", "restart exp:10s", "stops")),
	},
	{
		Name: "web-idle", About: "a web server's timeouts: keep-alive, header, body, lingering close, resolver",
		Demand: Demand{200_000, time.Millisecond, []Class{
			{Name: "keep-alive", Share: 0.3, Interval: must("const:75s"), Stop: must("exp:8s"), Stops: 0.9},
			{Name: "header, body, send", Share: 0.6, Interval: must("const:60s"), Stop: must("lognormal:20ms,100ms"), Stops: 0.995},
			{Name: "lingering close", Share: 0.05, Interval: must("const:5s")},
			{Name: "resolver", Share: 0.05, Interval: must("const:30s"), Stop: must("lognormal:5ms,20ms"), Stops: 0.99},
		}},
		Notes: slices.Concat(sourced(nginx, "intervals"), assumed("n", "tick", "shares", "stops")),
	},
	{
		Name: "kafka-purgatory", About: "delayed operations of a broker, each of which mostly completes first",
		Demand: Demand{10_000, time.Millisecond, single(Class{Name: "request", Interval: must("const:30s"), Stop: must("lognormal:20ms,60ms"), Stops: 1})},
		Slots:  20,
		Notes: slices.Concat(sourced("Kafka, TestPurgatoryPerformance and SystemTimer", "tick", "M", "one timeout for all", "stop when completed"),
			assumed("n", "interval", "stop lognormal:20ms,60ms")),
	},
	{
		Name: "proxy-session", About: "sessions of a proxy with five timers each, at a tick of 20 µs",
		Demand: Demand{50_000, 20 * time.Microsecond, []Class{
			{Name: "idle", Share: 0.3, Interval: must("const:60s"), Restart: must("exp:1s")},
			{Name: "close", Share: 0.02, Interval: must("mix:0.5*const:180s+0.5*const:10s")},
			{Name: "pace", Share: 0.4, Interval: must("const:200us")},
			{Name: "request", Share: 0.14, Interval: must("const:1s"), Stop: must("exp:50ms"), Stops: 1},
			{Name: "deadline", Share: 0.14, Interval: must("mix:0.5*const:102ms+0.5*const:51ms"), Stop: must("exp:10ms"), Stops: 1},
		}},
		Notes: slices.Concat(sourced(ratas, "tick", "intervals", "which are stopped"), assumed("n", "shares", "restart exp:1s", "stop after")),
	},
	{
		Name: "rpc-relay", About: "a relay that starts and stops a timer with every call",
		Demand: Demand{10_000, 5 * time.Millisecond, single(Class{Name: "call", Interval: must("const:1s"), Stop: must("lognormal:20ms,60ms"), Stops: 0.99})},
		Notes:  slices.Concat(sourced("uber/tchannel-go issue 545", "n", "tick", "start and stop with each call"), assumed("interval", "stop lognormal:20ms,60ms", "stops")),
	},
	{
		Name: "akka-ask", About: "timeouts of requests between actors",
		Demand: Demand{10_000, 10 * time.Millisecond, single(Class{Name: "ask", Interval: must("const:5s"), Stop: must("lognormal:20ms,60ms"), Stops: 0.99})},
		Slots:  512,
		Notes:  slices.Concat(sourced(akka, "tick", "M", "interval"), assumed("n", "stop lognormal:20ms,60ms", "stops")),
	},
	{
		Name: "mqtt-keepalive", About: "keep-alive of a message broker's clients, restarted by every packet",
		Demand: Demand{1_000_000, 100 * time.Millisecond, single(Class{Name: "keep-alive", Interval: must("mix:0.4*const:90s+0.3*const:135s+0.3*const:450s"), Restart: must("exp:30s")})},
		Notes:  slices.Concat(sourced(mqtt, "interval of 1.5 × 90 s and 300 s"), assumed("n", "tick", "1.5 × 60 s for 40 %", "shares", "restart exp:30s")),
	},
	{
		Name: "game-tick", About: "effects of a game server, which mostly expire",
		Demand: Demand{50_000, 10 * time.Millisecond, single(Class{Name: "effect", Interval: must("uniform:500ms,30s"), Stop: must("exp:5s"), Stops: 0.1})},
		Notes:  slices.Concat(sourced("posts on timers of game servers", "tick", "mostly expire"), assumed("n", "interval", "stops")),
	},
	{
		Name: "delayed-jobs", About: "messages that are to be delivered after a delay",
		Demand: Demand{1_000_000, time.Second, single(Class{Name: "delay", Interval: must(rocketLevels), Stop: must("uniform:1s,30m"), Stops: 0.04})},
		Notes:  slices.Concat(sourced(rocketMQ, "tick", "interval: one of 18, from 1 s to 2 h"), assumed("n", "all levels alike", "stops", "no spikes on the hour")),
	},
	{
		Name: "hold", About: "the event-set model of simulations: each expiry starts a timer",
		Demand: Demand{100_000, time.Millisecond, single(Class{Name: "event", Interval: must("exp:10s")})},
		Notes:  slices.Concat(sourced("simulation literature", "each expiry starts one timer, n constant"), assumed("n", "tick", "interval exp:10s")),
	},
}

// rocketLevels are RocketMQ's delays, all as likely.
var rocketLevels = func() string {
	var parts []string
	levels := strings.Fields("1s 5s 10s 30s 1m 2m 3m 4m 5m 6m 7m 8m 9m 10m 20m 30m 1h 2h")
	for _, level := range levels {
		parts = append(parts, fmt.Sprintf("%.17g*const:%s", 1/float64(len(levels)), level))
	}
	return "mix:" + strings.Join(parts, "+")
}()
