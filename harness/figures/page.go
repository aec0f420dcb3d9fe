package figures

import "gonum.org/v1/plot/vg"

// Sizes in points. Browsers show a page of 600 points 800 pixels wide.
const (
	pageWidth  vg.Length = 600
	pageMargin vg.Length = 10
	bodyWidth            = pageWidth - 2*pageMargin
	blockGap   vg.Length = 8 // between title, body and caption
)

// A page is a plan with its words broken into lines.
type page struct {
	plan
	title, caption []string
	height         vg.Length
}

func layPage(p plan) page {
	pg := page{plan: p, title: title.balanced(p.frame.Title, bodyWidth)}
	for _, paragraphs := range [][]string{p.frame.Caption, p.dropped.note(p.linear)} {
		for _, par := range paragraphs {
			pg.caption = append(pg.caption, remark.wrap(par, bodyWidth)...)
		}
	}
	pg.height = 2*pageMargin + p.height + blockHeight(pg.title, titleSize) + blockHeight(pg.caption, captionSize)
	return pg
}

// blockHeight is the height of the lines and of the gap that parts them from the body.
func blockHeight(lines []string, size vg.Length) vg.Length {
	if len(lines) == 0 {
		return 0
	}
	return vg.Length(len(lines))*size*lineSpacing + blockGap
}

func (pg page) draw(s *sheet) {
	s.fill(white, rect(0, 0, pageWidth, pg.height))
	top := pg.height - pageMargin
	s.block(title, top, pg.title)
	top -= blockHeight(pg.title, titleSize)
	body := rect(pageMargin, top-pg.plan.height, pageWidth-pageMargin, top)
	s.block(remark, body.Min.Y-blockGap, pg.caption)
	pg.plan.draw(s, body)
}

// block writes lines from the height top downwards.
func (s *sheet) block(l lettering, top vg.Length, lines []string) {
	for i, line := range lines {
		s.write(l, pageMargin, top-l.size*lineSpacing*(vg.Length(i)+0.5), left, line)
	}
}
