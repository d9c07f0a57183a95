/** The tags around the thoughts of a model, as in `<think>Hm</think>Hello`. */
export type ThoughtTags = {
  readonly pairs: readonly TagPair[]
  /**
   * Whether the template of the model opens the tag: an answer then begins within its thoughts. `perhaps`: its server
   * may have separated them.
   */
  readonly isOpened: boolean | 'perhaps'
}
export type TagPair = { readonly open: string; readonly close: string }

/** Models of these names have such a template, unless their server separates the thoughts itself. */
const OPENED_BY_TEMPLATE = /deepseek-r1|r1-distill|qwq|qwen3.{0,40}thinking/i
const HARMONY_THOUGHT = '<|channel|>analysis<|message|>'
const HARMONY_FINAL = '<|channel|>final<|message|>'
const DEFAULT_PAIRS: readonly TagPair[] = [
  ...['think', 'thinking', 'thought', 'reasoning', 'seed:think'].map(toPair),
  // Magistral and Kimi-VL.
  { open: '[THINK]', close: '[/THINK]' },
  { open: '◁think▷', close: '◁/think▷' },
  // Gemma.
  { open: '<|channel>thought', close: '<channel|>' },
  // Harmony of gpt-oss, with its two ways to the final words.
  { open: HARMONY_THOUGHT, close: `<|end|><|start|>assistant${HARMONY_FINAL}` },
  { open: HARMONY_THOUGHT, close: HARMONY_FINAL },
]

export type TagSettings = {
  readonly names?: readonly string[] | undefined
  readonly isOpened?: boolean | undefined
}

/** The tags of a model, by its settings in models.yaml. What its answers say changes none of it. */
export function thoughtTags(modelId: string, { names, isOpened }: TagSettings = {}): ThoughtTags {
  const pairs = names?.map(toPair) ?? DEFAULT_PAIRS
  const guess = OPENED_BY_TEMPLATE.test(modelId) ? 'perhaps' : false
  return { pairs, isOpened: pairs.length > 0 && (isOpened ?? guess) }
}

function toPair(name: string): TagPair {
  return { open: `<${name}>`, close: `</${name}>` }
}

type Place = { readonly at: number; readonly end: number }

/** Where a tag that ends thoughts stands, if one does. A tag that is quoted as code is none. */
export function findClosing(text: string, pairs: readonly TagPair[]): Place | undefined {
  for (const { 0: tag, index: at } of text.matchAll(anyOf(pairs.map(({ close }) => close))))
    if (text[at - 1] !== '`') return { at, end: at + tag.length }
  return undefined
}

/** How many tags that open thoughts end in the text, of which `before` is known. One that is quoted as code is none. */
export function countOpenings(text: string, before: string, pairs: readonly TagPair[]): number {
  const whole = `${before.slice(-MAX_TAG)}${text}`
  const start = whole.length - text.length
  const openings = [...whole.matchAll(anyOf(pairs.map(({ open }) => open)))]
  return openings.filter(({ 0: tag, index: at }) => whole[at - 1] !== '`' && at + tag.length > start).length
}

/** The same, for a tag that nothing opened: it begins or ends a line, outside of blocks of code. */
export function findLoneClosing(text: string, pairs: readonly TagPair[]): boolean {
  const closing = findClosing(text, pairs)
  if (!closing) return false
  const { isBlankLine, isInCode } = placeAfter(TEXT_START, text.slice(0, closing.at))
  // At the end of what has come, more of the line may follow. At most 21 characters are read.
  const endsLine = /^[^\S\n]{0,20}\n/.test(text.slice(closing.end))
  return (isBlankLine || endsLine) && !isInCode
}

/** The first tag that opens thoughts and begins a line, outside of code. `before`: the place where the text begins. */
export function findOpening(
  text: string,
  before: TextPlace,
  pairs: readonly TagPair[],
): (Place & { readonly pair: TagPair }) | undefined {
  let place = before
  let start = 0
  for (const { 0: tag, index: at } of text.matchAll(anyOf(pairs.map(({ open }) => open)))) {
    place = placeAfter(place, text.slice(start, at))
    start = at
    const pair = pairs.find(({ open }) => tagLength(tag, open) === tag.length)
    if (pair && isOutside(place)) return { at, end: at + tag.length, pair }
  }
  return undefined
}

/** The place from which the text may turn out to be such a tag. */
export function undecidedOpeningFrom(text: string, before: TextPlace, pairs: readonly TagPair[]): number {
  const longest = Math.max(0, ...pairs.map(({ open }) => open.length)) + MAX_ATTRIBUTES
  let place = before
  let start = 0
  for (let at = Math.max(0, text.length - longest); at < text.length; at++)
    if (pairs.some(({ open }) => mayBecomeTag(text.slice(at), open))) {
      place = placeAfter(place, text.slice(start, at))
      start = at
      if (isOutside(place)) return at
    }
  return text.length
}

/** What is known of a text at its end. It is carried on, so that a long text is read once and not for each tag. */
export type TextPlace = {
  /** Whether what follows begins a line. */
  readonly isBlankLine: boolean
  /** Whether what follows is within a block of code. */
  readonly isInCode: boolean
  /** Backticks at the end that may become three. */
  readonly backticks: number
}
export const TEXT_START: TextPlace = { isBlankLine: true, isInCode: false, backticks: 0 }

/** The place after more of the text. */
export function placeAfter(before: TextPlace, text: string): TextPlace {
  if (text === '') return before
  const line = text.lastIndexOf('\n') + 1
  const isBlankLine = (line > 0 || before.isBlankLine) && text.slice(line).trim() === ''
  let { isInCode, backticks } = before
  let end = 0
  for (let at = text.indexOf('`'); at !== -1; at = text.indexOf('`', end)) {
    backticks = at === end ? backticks + 1 : 1
    end = at + 1
    if (backticks < 3) continue
    backticks = 0
    isInCode = !isInCode
  }
  return { isBlankLine, isInCode, backticks: end === text.length ? backticks : 0 }
}

export function isOutside({ isBlankLine, isInCode }: TextPlace): boolean {
  return isBlankLine && !isInCode
}

/** Characters of blanks and attributes in a tag, at most, and of a whole tag. */
const MAX_ATTRIBUTES = 100
const MAX_TAG = MAX_ATTRIBUTES + 50
/** At most so many characters and the bracket are matched. */
const ATTRIBUTES = /^\s[^<>]{0,99}>/
const OPEN_ATTRIBUTES = /^\s[^<>]{0,99}$/

/** Finds one of these tags in any case, with its attributes. One pattern looks at each place of a long text. */
function anyOf(tags: readonly string[]): RegExp {
  const patterns = tags.map((tag) => {
    const name = tag.replace(/>$/, '').replaceAll(/[^\w<]/g, String.raw`\$&`)
    return tag.endsWith('>') ? `${name}${String.raw`(?:\s[^<>]{0,99})?>`}` : name
  })
  // Each tag has a name and at most 100 characters more, whatever the length of the text: at most 1,000 characters.
  return new RegExp(patterns.join('|') || '$.', 'gi')
}

/** The length of the tag that a text begins with, in any case, with its attributes; 0 if it does with none. */
export function tagLength(text: string, tag: string): number {
  if (startsWith(text, tag)) return tag.length
  const name = tag.slice(0, -1)
  if (!tag.endsWith('>') || !startsWith(text, name)) return 0
  const rest = text.slice(name.length, name.length + MAX_ATTRIBUTES + 1)
  const [attributes] = ATTRIBUTES.exec(rest) ?? []
  return attributes === undefined ? 0 : name.length + attributes.length
}

/** Whether the text may be the beginning of the tag. */
export function mayBecomeTag(text: string, tag: string): boolean {
  if (text.length < tag.length) return startsWith(tag, text)
  const name = tag.slice(0, -1)
  return tag.endsWith('>') && startsWith(text, name) && OPEN_ATTRIBUTES.test(text.slice(name.length))
}

function startsWith(text: string, start: string): boolean {
  return text.slice(0, start.length).toLowerCase() === start.toLowerCase()
}

/** The place from which the text may turn out to be a tag that ends thoughts. */
export function undecidedTagFrom(text: string, pairs: readonly TagPair[]): number {
  const longest = Math.max(0, ...pairs.map(({ close }) => close.length)) + MAX_ATTRIBUTES
  for (let at = Math.max(0, text.length - longest); at < text.length; at++)
    if (pairs.some(({ close }) => mayBecomeTag(text.slice(at), close))) return at
  return text.length
}
