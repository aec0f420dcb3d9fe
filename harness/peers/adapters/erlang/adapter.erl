#!/usr/bin/env escript
%% -*- erlang -*-
%%! -noinput +S 1
%% An adapter for erlang:start_timer and erlang:cancel_timer. The protocol is in ../README.md.
%%
%% A timer sends a message. The callback is its receipt, by the process that does all: standard input is a port, which sends
%% lines to the same process, so that it receives timeouts at once while it waits for a line. There is one scheduler, +S 1: each
%% has its own timers and thread, and on a busy machine the timers of one may wait for their thread while the clock is read in
%% time by another.
-mode(compile).

-define(TICK, 10). % milliseconds

%% The documentation wants a timer due by erlang:system_info(end_time), and says of that only that it is "at least a quarter of
%% a millennium" after the start: 250 years, in ticks. The library refuses what is after it.
-define(RANGE, 250 * 365 * 24 * 3600 * 1000 div ?TICK).

-record(state, {
    port,
    run,            % a reference: a timeout of another run is forgotten
    answered,       % when tick or new was, in native units of time
    timers = #{},   % references by ID, of ended timers too
    actions = #{},  % lists of operations, by ID
    events = []     % since the last answer to tick, the last one first
}).

main(_) ->
    Port = open_port({fd, 0, 1}, [{line, 1 bsl 20}, binary, eof]),
    loop(new(#state{port = Port})).

loop(#state{port = Port} = State) ->
    receive
        {timeout, _, Timer} ->
            loop(expire(Timer, State));
        {Port, {data, {eol, Line}}} ->
            {Answer, Next} = answer(string:lexemes(binary_to_list(Line), " "), State),
            true = port_command(Port, [Answer, $\n]),
            loop(Next#state{answered = answered(Line, Next)});
        {Port, eof} ->
            halt(0)
    end.

%% answered returns when a tick or new was answered last: now, if the line was one.
answered(<<"tick", _/binary>>, _) -> erlang:monotonic_time();
answered(<<"new", _/binary>>, _) -> erlang:monotonic_time();
answered(_, State) -> State#state.answered.

answer(["hello" | _], State) ->
    Version = [erlang:system_info(otp_release), $-, erlang:system_info(version)],
    {io_lib:format("hello 1 erlang ~s clock=~bms range=~b stale action restart", [Version, ?TICK, ?RANGE]), State};
answer(["new" | _], State) ->
    maps:foreach(fun(_, Ref) -> erlang:cancel_timer(Ref) end, State#state.timers),
    {"ok", new(State)};
answer(["action", ID | Words], State) ->
    Operations = [string:lexemes(Text, " ") || Text <- string:lexemes(lists:join(" ", Words), ";")],
    {"ok", State#state{actions = maps:put(ID, Operations, State#state.actions)}};
answer(["tick", N], State) ->
    Until = State#state.answered + native(list_to_integer(N) * ?TICK),
    {Late, Next} = pass(Until, erlang:monotonic_time(), 0, State),
    Events = lists:reverse(Next#state.events),
    {lists:join(" ", ["ok", [$@, integer_to_list(Late)] | Events]), Next#state{events = []}};
answer(Words, State) ->
    do(Words, State).

new(State) ->
    #state{port = State#state.port, run = make_ref(), answered = erlang:monotonic_time()}.

%% pass receives timeouts until a time. It looks at the clock whenever there is no message, and yields, so that it needs no timer.
%% It returns the longest time by which a look came late, after the one before or after the end, in microseconds: a pause of the
%% process in the middle of many ticks is seen, too. At last it receives the timeouts that are due after a pause.
pass(Until, Before, Late, State) ->
    receive
        {timeout, _, Timer} -> pass(Until, Before, Late, expire(Timer, State))
    after 0 ->
        Now = erlang:monotonic_time(),
        Latest = max(Late, Now - min(Before, Until)),
        erlang:yield(),
        if
            Now < Until -> pass(Until, Now, Latest, State);
            true -> {microseconds(Latest), drain(State)}
        end
    end.

drain(State) ->
    receive
        {timeout, _, Timer} -> drain(expire(Timer, State))
    after 0 -> State
    end.

%% expire does what a callback does: it notes the expiry, and does the action of the timer.
expire({Run, ID, Began}, #state{run = Run} = State) ->
    After = microseconds(erlang:monotonic_time() - Began),
    Actions = State#state.actions,
    {Answers, Next} = lists:mapfoldl(
        fun(Words, S) ->
            {Answer, Done} = do(Words, S),
            {hd(string:lexemes(lists:flatten(Answer), " ")), Done}
        end,
        State#state{actions = maps:remove(ID, Actions)},
        maps:get(ID, Actions, [])),
    Event = [integer_to_list(After), $:, ID, [[$=, lists:join(",", Answers)] || Answers =/= []]],
    Next#state{events = [Event | Next#state.events]};
expire(_, State) ->
    State.

%% do does a start, stop or restart.
do(["start", ID, Interval], State) ->
    start(ID, list_to_integer(Interval), State);
do(["stop", ID], State) ->
    {case stop(ID, State) of true -> "yes"; false -> "no" end, State};
do(["restart", ID, New, Interval], State) ->
    case stop(ID, State) of
        true -> start(New, list_to_integer(Interval), State);
        false -> {"no", State}
    end.

%% start starts a timer with a message that says all, so that a message that comes twice, or after a stop, is seen.
start(ID, Interval, State) ->
    Began = erlang:monotonic_time(),
    try erlang:start_timer(Interval * ?TICK, self(), {State#state.run, ID, Began}) of
        Ref -> {"ok", State#state{timers = maps:put(ID, Ref, State#state.timers)}}
    catch
        error:badarg -> {["error interval ", integer_to_list(Interval), " (badarg)"], State}
    end.

%% stop reports whether the library found the timer. If not, its message may be in the mailbox, or on its way. A program would
%% flush it, but here it is the expiry of a timer that had ended, and is received as such.
stop(ID, State) ->
    case maps:find(ID, State#state.timers) of
        {ok, Ref} -> erlang:cancel_timer(Ref) =/= false;
        error -> false
    end.

native(Milliseconds) -> erlang:convert_time_unit(Milliseconds, millisecond, native).
microseconds(Native) -> erlang:convert_time_unit(Native, native, microsecond).
