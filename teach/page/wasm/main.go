//go:build js && wasm

// Command wasm runs the schemes in a page: it is the player with its verbs as functions of
// the global object timerlab. Each returns an object; one with an error changes nothing.
package main

import (
	"fmt"
	"math"
	"syscall/js"

	"timerlab/schemes"
	"timerlab/teach/page/draw"
	"timerlab/teach/player"
)

// page is the state of the page.
type page struct {
	player *player.Player
	asked  player.Prompt
	curve  draw.Curve
	race   player.Race
}

func main() {
	p := &page{}
	verbs := map[string]any{}
	for name, verb := range map[string]func([]js.Value) (map[string]any, error){
		"open": p.open, "edit": p.edit, "ask": p.ask, "answer": p.answer, "costs": p.costs,
		"race": p.openRace, "run": p.run, "plot": p.plot,
		"seek": func(args []js.Value) (map[string]any, error) { // to the end of a tick: seek(tick)
			p.player.Seek(schemes.Tick(max(0, args[0].Int())), player.WholeTick)
			return p.frame(), nil
		},
		"step": func([]js.Value) (map[string]any, error) {
			p.player.ForwardStep()
			return p.frame(), nil
		},
		"guess": func(args []js.Value) (map[string]any, error) { // guess(x, y, whether it goes on from the last)
			p.curve.Guess(args[0].Float(), args[1].Float(), args[2].Bool())
			return p.costs(nil)
		},
		"aim": func(args []js.Value) (map[string]any, error) { // aim(ticks)
			slot, svg := draw.Aim(&p.player.State, schemes.Tick(args[0].Int()))
			return map[string]any{"slot": slot, "svg": svg}, nil
		},
		"reveal": func([]js.Value) (map[string]any, error) {
			p.curve.Revealed = true
			return p.costs(nil)
		},
		"stepback": func([]js.Value) (map[string]any, error) {
			p.player.BackStep()
			return p.frame(), nil
		},
	} {
		verbs[name] = js.FuncOf(func(_ js.Value, args []js.Value) any {
			result, err := verb(args)
			if err != nil {
				return map[string]any{"error": err.Error()}
			}
			return result
		})
	}
	js.Global().Set("timerlab", verbs)
	js.Global().Call("timerlabReady")
	select {}
}

// open shows the state of a fragment: open(fragment). What is wrong in the fragment is a warning.
func (p *page) open(args []js.Value) (map[string]any, error) {
	next, wrong := player.Open(args[0].String())
	if next == nil {
		return nil, wrong
	}
	p.player = next
	result := p.all()
	if wrong != nil {
		result["warning"] = wrong.Error()
	}
	return result, nil
}

// edit adds an operation at the present: edit("start:40").
func (p *page) edit(args []js.Value) (map[string]any, error) {
	e, err := player.ParseEdit(fmt.Sprint(int(p.player.State.At), ":", args[0].String()))
	if err == nil {
		err = p.player.Edit(e)
	}
	if err != nil {
		return nil, err
	}
	return p.all(), nil
}

// ask puts the question of the lesson: ask().
func (p *page) ask([]js.Value) (map[string]any, error) {
	prompt, ok := p.player.Ask()
	p.asked = prompt
	return map[string]any{"none": !ok, "text": prompt.Text, "choices": list(prompt.Choices)}, nil
}

// answer judges an answer to the question: answer(text).
func (p *page) answer(args []js.Value) (map[string]any, error) {
	right, text, err := p.asked.Answer(args[0].String())
	if err != nil {
		return nil, err
	}
	return map[string]any{"right": right, "text": text}, nil
}

// costs returns the plot of costs over M, with a dot at the present one: costs().
func (p *page) costs([]js.Value) (map[string]any, error) {
	if err := p.curve.Try(&p.player.State); err != nil {
		return nil, err
	}
	svg, rows := p.curve.Draw(&p.player.State)
	return map[string]any{"svg": svg, "rows": rows, "revealed": p.curve.Revealed}, nil
}

// openRace shows the race of a fragment: race(fragment). What is wrong in the fragment is a warning.
func (p *page) openRace(args []js.Value) (map[string]any, error) {
	wrong := p.race.Open(args[0].String())
	s := &p.race.State
	result := map[string]any{"fragment": p.race.String(), "parameters": s.Parameters(), "command": s.Command(), "shown": list(s.Names())}
	if wrong != nil {
		result["warning"] = wrong.Error()
	}
	return result, nil
}

// run runs a part of the race's heat at some T, or at one that is missing until the crossing is known: run(T) or run(0).
func (p *page) run(args []js.Value) (map[string]any, error) {
	t := schemes.Tick(args[0].Int())
	if t == 0 {
		_, _, t = p.race.Crossing()
	}
	if t == 0 {
		return map[string]any{"share": 1, "known": true}, nil
	}
	d, share := p.race.Run(t)
	return map[string]any{"share": share, "each": []any{d.Each(0), d.Each(1)}}, nil
}

// plot draws what the race has counted: plot(width, height, flag, shown, measured). The reader's flag is an octave, or NaN.
func (p *page) plot(args []js.Value) (map[string]any, error) {
	flag, shown, r := args[2].Float(), args[3].Bool(), &p.race
	plot := draw.RacePlot{Race: r, Width: args[0].Float(), Height: args[1].Float()}
	if shown {
		plot.Flags = r.Flags(args[4].Float())
	}
	if !math.IsNaN(flag) {
		plot.Flags = append(plot.Flags, player.Flag{Name: "your flag", T: float64(r.State.Slots) * math.Exp2(flag)})
	}
	return map[string]any{"svg": plot.String(), "table": plot.Table(), "sentence": r.Sentence(shown)}, nil
}

// all returns everything that changes with the run.
func (p *page) all() map[string]any {
	s := &p.player.State
	result := p.frame()
	result["parameters"], result["shown"], result["lesson"] = s.Parameters(), list(s.Names()), s.Lesson
	result["command"], result["ticks"], result["benchTicks"] = s.Command(), int(s.Ticks), int(s.BenchTicks())
	history := p.player.History()
	result["timeline"], result["chart"] = draw.Timeline(history, s), draw.Chart(history, s)
	return result
}

// frame returns the present moment.
func (p *page) frame() map[string]any {
	s := &p.player.State
	f := p.player.Frame()
	var lanes []any
	for i := range f.Lanes {
		l := &f.Lanes[i]
		drawing, _ := draw.Lane(s, l, f.Tick)
		var formulas []any
		for _, law := range l.Formulas {
			formulas = append(formulas, []any{law.What, law.Text, law.Value, law.Counted})
		}
		lanes = append(lanes, map[string]any{
			"name": l.Info.Name, "title": player.Name(l.Info), "number": l.Info.Number, "svg": drawing,
			"counts": []any{numbers(l.Last), numbers(l.OfTick), numbers(l.Total)},
			"ended":  float64(l.Outcome.Stopped + l.Outcome.Expired), "formulas": formulas,
			"steps":   float64(player.Steps(l.Total)),
			"outcome": fmt.Sprintf("%+v %+v", l.Outcome, l.Total), // for tests; a script's numbers do not hold it
		})
	}
	return map[string]any{
		"tick": int(f.Tick), "step": f.Step, "steps": f.Steps, "whole": s.Step == player.WholeTick,
		"reach": float64(draw.Reach(s)), "sentence": f.Sentence, "operation": f.Operation, "fragment": s.String(), "lanes": lanes,
	}
}

func numbers(c schemes.Counts) []any {
	return []any{float64(c.Compares), float64(c.Visits), float64(c.Links), float64(c.Migrations), float64(c.EmptySlots)}
}

func list[T any](values []T) []any {
	all := make([]any, len(values))
	for i, v := range values {
		all[i] = v
	}
	return all
}
