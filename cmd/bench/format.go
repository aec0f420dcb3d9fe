package main

import (
	"fmt"
	"slices"

	"github.com/spf13/pflag"

	"timerlab/harness/report"
)

// outputFormat is the format of what a verb prints.
type outputFormat struct{ format *report.Format }

// formatFlag adds --format. --json is its hidden older name.
func formatFlag(f *pflag.FlagSet, format *report.Format) {
	*format = report.Text
	f.Var(outputFormat{format}, "format", "of the output: "+formatNames())
	f.BoolFunc("json", "", func(string) error {
		*format = report.JSON
		return nil
	})
	_ = f.MarkHidden("json") // it exists
}

func (o outputFormat) Set(text string) error {
	if !slices.Contains(report.Formats, report.Format(text)) {
		return fmt.Errorf("unknown format %q (have %s)", text, formatNames())
	}
	*o.format = report.Format(text)
	return nil
}

func (o outputFormat) String() string {
	if o.format == nil { // as pflag makes one, to find the zero value
		return ""
	}
	return string(*o.format)
}

func (o outputFormat) Type() string { return "format" }

func formatNames() string {
	return formatList(report.Formats, func(f report.Format) string { return string(f) })
}
