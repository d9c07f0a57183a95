import { findDates, type Dates } from './dates.ts'
import { addresses, plain, stripMarkdown } from '../../markdown/strip-markdown.ts'

/** What the lines over an entry say: `**Acme** — Engineer, 2019–2022`. */
export type EntryHeader = {
  readonly dates: Dates
  /** Whether both of its ends were looked for, or one date was all there is. */
  readonly range: boolean
  readonly url: string | undefined
  /** Written as we write it: what stands before and behind the `@`. Then nothing has to be guessed. */
  readonly exact: { readonly before: readonly string[]; readonly after: string } | undefined
  /** Else its words, part by part. */
  readonly parts: readonly string[]
  /** `Location: Berlin` and the like, by their names in small letters. */
  readonly labelled: ReadonlyMap<string, string>
}

const BAR = /(?:(?<!\s)\s+)?\|\s*/
const AT = /(?:^|\s)@(?:\s|$)/
const BETWEEN = new RegExp(
  [
    String.raw`(?:(?<!\s)\s+)?[|｜\t]\s*|(?<!\s)\s+[–—·•・∙⋅]\s*|(?:(?<!\s)\s+)?[–—·•・∙⋅]\s+`,
    String.raw`(?<!\s)\s+-\s+|(?<!\s)\s{2,}|—{2,}|，`,
    String.raw`,\s+(?!(?:Inc|LLC|L\.L\.C|Ltd|Limited|Co|Corp|GmbH|S\.?A|PLC|plc|Pty)\b)`,
    String.raw`(?<=\p{Script=Han})\s+(?=\p{Script=Han})|(?<=公司|集团|银行|大学|学院)(?<!\s)\s+`,
  ].join('|'),
  'u',
)

/** Reads the lines over an entry. */
export function readEntryHeader(lines: readonly string[]): EntryHeader {
  let dates: Dates | undefined
  let range = false
  let exact: EntryHeader['exact']
  const parts: string[] = []
  const labelled = new Map<string, string>()
  for (const [at, line] of lines.entries()) {
    const bare = stripMarkdown(line)
    const found = dates ? undefined : findDates(bare)
    if (found) {
      dates = found
      range = found.range
    }
    const rest = found ? found.rest : bare
    if (at === 0 && AT.test(rest)) exact = exactOf(rest)
    else for (const part of rest.split(exact ? BAR : BETWEEN)) keep(part, parts, labelled)
  }
  return {
    dates: { ...(dates?.start && { start: dates.start }), ...(dates?.end && { end: dates.end }) },
    range,
    url: lines.flatMap(addresses)[0],
    exact,
    parts,
    labelled,
  }
}

function exactOf(line: string): NonNullable<EntryHeader['exact']> {
  const mark = AT.exec(line)
  const at = mark?.index ?? line.length
  const before = line.slice(0, at).split(BAR)
  return { before: before.map(plain), after: plain(line.slice(at + (mark?.[0].length ?? 0))) }
}

function keep(text: string, parts: string[], labelled: Map<string, string>): void {
  const part = plain(text.replace(/https?:\/\/\S+/gi, ' ')).replace(
    /^[,，;；:：()（）\s]+|(?<![,，;；:：\s])[,，;；:：\s]+$/gu,
    '',
  )
  if (part === '') return
  const [, name, value] = /^([\p{L} ]{1,24}?)\s*[:：]\s*(\S.*)$/u.exec(part) ?? []
  if (name !== undefined && value !== undefined) labelled.set(name.toLowerCase(), value)
  else parts.push(part)
}

/** The first of some labels that is there. */
export function labeledValue({ labelled }: EntryHeader, names: readonly string[]): string | undefined {
  const name = names.find((each) => labelled.has(each))
  return name === undefined ? undefined : labelled.get(name)
}
