// Package report turns raw files into what people read: pages of findings, figures
// and tables. It measures nothing.
package report
