// Package report turns raw files into what people read: pages of findings, figures
// and tables. It measures nothing.
//
// A Page is a template over a struct of numbers, which tests read without parsing prose; its functions are Funcs. It
// is written as Markdown, text for a terminal, JSON or CSV. A Table is what it shows; one whose cells have names of
// rows and columns begins as a Pivot. What is too long for a page is a List, a CSV file beside it. Study makes the
// pages of the schemes and of the claims, PeersPage that of other people's timers; package picks has those of picks.
package report
