import { useEffect, useLayoutEffect, useState, type RefObject } from 'react'

/** A line counts when two looks in a row found it: what only rushes by was not to be read. */
const LOOK_INTERVAL_MS = 100
/** Inside a line by as much, on both sides, a point must be in sight. */
const EDGE_PX = 3

type Box = { readonly width: number; readonly height: number; readonly lines: number }

type LinesInView = {
  /** Lines that have not been in view, as the text is wrapped now. */
  readonly linesLeft: number
  /** Whether there are or were any after the first look: the text is longer than its place. */
  readonly isLong: boolean
  /** Scrolls to the first line that has not been in view. */
  readonly showNext: () => void
}

/**
 * Counts the lines of a text that have not been in view yet. It asks the page what is drawn at a line's place, so what
 * is scrolled away, covered or not drawn is not in view, whatever hides it. Other wraps of the text begin it again.
 */
export function useLinesInView(text: RefObject<HTMLElement | null>): LinesInView {
  const [linesLeft, setLinesLeft] = useState(1)
  const [isLong, setLong] = useState(false)
  const [inView] = useState(() => new Set<number>())
  const isDone = linesLeft === 0
  useLayoutEffect(() => {
    if (!text.current) return
    const { lines, height } = boxOf(text.current)
    setLinesLeft(lines)
    setLong(height > window.innerHeight / 2)
  }, [text])
  useEffect(() => {
    if (isDone) return undefined
    let box: Box | undefined
    let before: ReadonlySet<number> | undefined
    const look = (): void => {
      if (!text.current || document.visibilityState !== 'visible') return
      const now = boxOf(text.current)
      if (now.width !== box?.width || now.height !== box.height) {
        inView.clear()
        before = undefined
        box = now
      }
      const drawn = linesDrawn(text.current, now)
      if (before) for (const line of drawn) if (before.has(line)) inView.add(line)
      if (before && inView.size < now.lines) setLong(true)
      before = drawn
      setLinesLeft(Math.max(0, now.lines - inView.size))
    }
    const timer = setInterval(look, LOOK_INTERVAL_MS)
    return () => clearInterval(timer)
  }, [text, inView, isDone])
  return { linesLeft, isLong, showNext: () => text.current && scrollToNext(text.current, inView) }
}

function boxOf(text: HTMLElement): Box {
  const { width, height } = text.getBoundingClientRect()
  return { width, height, lines: Math.max(1, Math.round(height / lineHeightOf(text))) }
}

function lineHeightOf(text: HTMLElement): number {
  return Number.parseFloat(getComputedStyle(text).lineHeight)
}

/** The lines of which nothing covers the upper and the lower edge. */
function linesDrawn(text: HTMLElement, { lines }: Box): ReadonlySet<number> {
  const { left, top, width, height } = text.getBoundingClientRect()
  const step = height / lines
  const isDrawn = (y: number): boolean => text.contains(document.elementFromPoint(left + width / 2, y))
  const drawn = new Set<number>()
  // Smaller than the window where the page is enlarged, or a keyboard is on the screen.
  const { offsetTop: viewTop = 0, height: viewHeight = window.innerHeight } = window.visualViewport ?? {}
  const first = Math.max(0, Math.ceil((viewTop - top) / step))
  const end = Math.min(lines, Math.floor((viewTop + viewHeight - top) / step))
  for (let line = first; line < end; line += 1) {
    const start = top + line * step
    if (isDrawn(start + EDGE_PX) && isDrawn(start + step - EDGE_PX)) drawn.add(line)
  }
  return drawn
}

/** What stands above the text may stay in view, over it. */
function scrollToNext(text: HTMLElement, inView: ReadonlySet<number>): void {
  const above = text.previousElementSibling
  let line = 0
  while (inView.has(line)) line += 1
  const { height, lines } = boxOf(text)
  const mark = document.createElement('span')
  mark.className = 'question-next'
  mark.style.top = `${(line * height) / lines}px`
  mark.style.scrollMarginTop = `${above?.clientHeight ?? 0}px`
  text.append(mark)
  mark.scrollIntoView({ block: 'start' })
  mark.remove()
}
