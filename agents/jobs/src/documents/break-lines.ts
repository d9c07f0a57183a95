import { plain, type Span, type RichText } from '../markdown/rich-text.ts'
import { sameFace, type Face, type FontFaceSplitter, type Type } from './font-face-splitter.ts'
import { ADDRESS_JOINTS, splitAtBreakOpportunities, graphemesOf } from './split-at-break-opportunities.ts'

/** Signs of one face that stand next to each other, and how wide they are. */
export type Run = {
  readonly text: string
  readonly face: Face
  readonly href: string | undefined
  readonly width: number
}

export type Line = { readonly runs: readonly Run[]; readonly width: number }

/** How a text is set in lines. */
export type Setting = {
  readonly set: FontFaceSplitter
  readonly look: (span: Span) => Type
  readonly measure: (text: string, face: Face) => number
}

type Loose = Omit<Run, 'width'>

/** Sets one line of a text in as many as it needs. Nothing is wider than `width`, however long its words are. */
export function breakLines(text: RichText, width: number, setting: Setting): Line[] {
  const lines: Line[] = []
  let current: Loose[] = []
  let filled = 0
  const end = (): void => {
    if (current.length > 0) lines.push(lineOf(current, setting))
    current = []
    filled = 0
  }
  for (const segment of segments(text, setting)) {
    const bare = widthOf(withoutEnd(segment), setting)
    if (filled > 0 && filled + bare > width) end()
    for (const part of bare > width ? parted(segment, width, setting) : [segment]) {
      const own = widthOf(part, setting)
      if (filled > 0 && filled + widthOf(withoutEnd(part), setting) > width) end()
      current.push(...part)
      filled += own
    }
  }
  end()
  return lines.length > 0 ? lines : [{ runs: [], width: 0 }]
}

/** The parts of a text between which a line may end, each with the looks of its spans. */
function segments(text: RichText, { set, look }: Setting): Loose[][] {
  let span = 0
  let used = 0
  return splitAtBreakOpportunities(plain(text)).map((segment) => {
    const pieces: Loose[] = []
    let rest = segment
    while (rest !== '') {
      const from = text[span]
      if (!from) break
      const part = rest.slice(0, from.text.length - used)
      const { href } = from
      pieces.push(...set(part, look(from)).map(({ text: letters, face }) => ({ text: letters, face, href })))
      rest = rest.slice(part.length)
      used += part.length
      if (used === from.text.length) {
        span += 1
        used = 0
      }
    }
    return pieces
  })
}

/** A word that is too long for any line, in parts that are not. An address is parted after its signs. */
function parted(segment: readonly Loose[], width: number, { measure }: Setting): Loose[][] {
  const signs = segment.flatMap(({ text: whole, face, href }) =>
    graphemesOf(whole).map((text) => ({ text, face, href })),
  )
  const parts: Loose[][] = []
  let part: typeof signs = []
  let filled = 0
  for (const sign of signs) {
    const own = measure(sign.text, sign.face)
    if (part.length > 0 && filled + own > width && sign.text !== ' ') {
      const joint = part.findLastIndex(({ text }) => ADDRESS_JOINTS.test(text)) + 1
      const at = joint > part.length * 0.6 ? joint : part.length
      parts.push(part.slice(0, at))
      part = part.slice(at)
      filled = part.reduce((sum, { text, face }) => sum + measure(text, face), 0)
    }
    part.push(sign)
    filled += own
  }
  return part.length > 0 ? [...parts, part] : parts
}

function withoutEnd(segment: readonly Loose[]): readonly Loose[] {
  const last = segment.at(-1)
  return last?.text.endsWith(' ')
    ? [...segment.slice(0, -1), { ...last, text: last.text.trimEnd() }]
    : segment
}

function widthOf(pieces: readonly Loose[], { measure }: Setting): number {
  return pieces.reduce((sum, { text, face }) => sum + measure(text, face), 0)
}

function lineOf(pieces: readonly Loose[], { measure }: Setting): Line {
  const merged: Loose[] = []
  for (const piece of pieces) {
    const last = merged.at(-1)
    if (last && sameFace(last.face, piece.face) && last.href === piece.href)
      merged[merged.length - 1] = { ...last, text: last.text + piece.text }
    else merged.push(piece)
  }
  const ended = withoutEnd(merged).filter(({ text }) => text !== '')
  const runs = ended.map(({ text, face, href }) => ({ text, face, href, width: measure(text, face) }))
  return { runs, width: runs.reduce((sum, run) => sum + run.width, 0) }
}
