import type { Face, FontFaceSplitter } from './font-face-splitter.ts'
import type { Line, Run, Setting } from './break-lines.ts'
import type { Style, TypeStyle } from './templates.ts'

/** What is drawn. `x` counts from the left of the column, `y` from the top of its strip; a text's is its base line. */
export type Mark =
  | {
      readonly kind: 'text'
      readonly run: Run
      readonly x: number
      readonly y: number
      readonly size: number
      readonly color: string
      readonly tracking: number
    }
  | {
      readonly kind: 'box'
      readonly x: number
      readonly y: number
      readonly width: number
      readonly height: number
      readonly color: string
    }

/** A part of the column that no end of a page goes through. */
export type Strip = {
  /** Space above, but at the top of a page. */
  readonly before: number
  readonly height: number
  /** Whether the next one belongs on the same page. */
  readonly keep: boolean
  readonly marks: readonly Mark[]
}

/** What strips are made with. */
export type LayoutContext = {
  readonly style: Style
  readonly width: number
  readonly set: FontFaceSplitter
  readonly measure: (text: string, face: Face, size: number) => number
}

/** Letters sit so that they stand in the middle of their line. */
export function baseline({ size, leading }: TypeStyle): number {
  return (size * leading) / 2 + size * 0.35
}

export function settingOf(
  { style, set, measure }: LayoutContext,
  { size, weight, tracking }: TypeStyle,
): Setting {
  return {
    set,
    look: ({ bold, italic }) => ({ weight: bold && weight !== 'bold' ? style.strong : weight, italic }),
    measure: (text, face) => measure(text, face, size) + tracking * size * text.length,
  }
}

type At = { readonly x: number; readonly y: number; readonly color: (run: Run) => string }

export function textMarks(line: Line, { size, tracking }: TypeStyle, { x, y, color }: At): Mark[] {
  let start = x
  return line.runs.map((run) => {
    const mark = {
      kind: 'text',
      run,
      x: start,
      y,
      size,
      color: color(run),
      tracking: tracking * size,
    } as const
    start += run.width
    return mark
  })
}
