// Package report turns raw files into what people read: pages of findings, figures and tables. It measures nothing and
// decides nothing.
//
// A Page is a template over a struct of numbers, which tests read without parsing prose; its functions are Funcs. It
// is written as Markdown, text for a terminal, JSON or CSV. A page shows Tables; a Pivot makes a table of cells with
// typed rows and columns. A table that is too long for a page is a List, a CSV file beside it. Study makes the pages of
// the schemes and of the claims, PeersPage the page of other people's timers, package picks the pages of picks. Files
// that this program did not make are never replaced.
package report
