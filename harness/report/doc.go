// Package report turns raw files into what people read: pages of findings, figures
// and tables. It measures nothing.
//
// A Page is a list of Sections of text, figures and Tables, and is written as Markdown, HTML,
// JSON, CSV or text for a terminal. A Table whose cells have names of rows and columns begins
// as a Pivot. Study makes the pages of the schemes and of the claims, PeersPage that of other
// people's timers. Pick and PickSweep fill in templates.
package report
