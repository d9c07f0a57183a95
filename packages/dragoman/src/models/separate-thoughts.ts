import type { LanguageModelV4Content, LanguageModelV4StreamPart } from '@ai-sdk/provider'

import { createSplitText } from './split-text.ts'
import {
  countOpenings,
  findClosing,
  findLoneClosing,
  findOpening,
  isOutside,
  mayBecomeTag,
  tagLength,
  undecidedOpeningFrom,
  undecidedTagFrom,
  type TagPair,
  type ThoughtTags,
} from './thought-tags.ts'

type Part = LanguageModelV4StreamPart
type Finish = Extract<Part, { type: 'finish' }>
type ReadPart = () => Promise<Part | undefined>

/** Blanks before a tag, and what may become one. More of it passes as it is. */
const MAX_HELD_CHARACTERS = 1000

/**
 * Makes reasoning of the thoughts in tags that an answer begins with. Later in the text, a tag is text, unless it
 * begins a line and is closed, in an answer that began with thoughts.
 */
export function separateThoughts(read: ReadPart, tags: ThoughtTags): ReadPart {
  const separate = createSeparator(tags)
  const parts: Part[] = []
  return async () => {
    while (parts.length === 0) {
      const part = await read()
      if (!part) return undefined
      parts.push(...separate(part))
    }
    return parts.shift()
  }
}

/** The same, for a whole answer. */
export function separateContent(
  content: readonly LanguageModelV4Content[],
  end: Omit<Finish, 'type'>,
  tags: ThoughtTags,
): LanguageModelV4Content[] {
  const separate = createSeparator(tags)
  const id = 'text'
  const parts = content.flatMap((piece): Part[] =>
    piece.type === 'text'
      ? [
          { type: 'text-start', id },
          { type: 'text-delta', id, delta: piece.text },
          { type: 'text-end', id },
        ]
      : [piece as Part],
  )
  return [...parts, { type: 'finish' as const, ...end }].flatMap(separate).flatMap(toContent)
}

/** A separator makes one delta of each thought and of the text, if it gets them whole. */
function toContent(part: Part): LanguageModelV4Content[] {
  switch (part.type) {
    case 'text-delta':
      return [{ type: 'text', text: part.delta }]
    case 'reasoning-delta':
      return [{ type: 'reasoning', text: part.delta }]
    case 'text-start':
    case 'text-end':
    case 'reasoning-start':
    case 'reasoning-end':
    case 'finish':
      return []
    default:
      return [part as LanguageModelV4Content]
  }
}

type State = {
  place: 'start' | 'thoughts' | 'text'
  /** The tags that may end the thoughts. */
  pairs: readonly TagPair[]
  /** Text that is not decided yet. */
  held: string
  /** What is thoughts if a tag ends it, and else the text. */
  perhaps: string | undefined
  /** The tag before that. */
  opening: string
  /** The end of the current thought, and the tags within it that no other one has closed. */
  thoughtEnd: string
  depth: number
  /** Whether a tag that ends thoughts was there. */
  hasClosing: boolean
  hasReasoning: boolean
  /** Whether the answer began with thoughts in tags. */
  hasTags: boolean
}

function createSeparator(tags: ThoughtTags): (part: Part) => Part[] {
  const text = createSplitText()
  const state: State = {
    place: 'start',
    pairs: [],
    held: '',
    perhaps: undefined,
    opening: '',
    thoughtEnd: '',
    depth: 0,
    hasClosing: false,
    hasReasoning: false,
    hasTags: false,
  }
  return (part) => {
    switch (part.type) {
      case 'text-start':
        text.start(part)
        return []
      case 'text-delta':
        state.held += part.delta
        while (advance(state, text, tags));
        return text.take()
      case 'text-end':
        settle(state, text)
        text.end()
        return text.take()
      default:
        state.hasReasoning ||= part.type.startsWith('reasoning')
        if (part.type.startsWith('tool-')) settle(state, text)
        return [...text.take(), part]
    }
  }
}

type SplitText = ReturnType<typeof createSplitText>

/** Passes on what of the held text is decided. Returns whether more of it can be. */
function advance(state: State, text: SplitText, tags: ThoughtTags): boolean {
  if (state.place === 'start') return begin(state, tags)
  if (state.place === 'thoughts') return think(state, text)
  return say(state, text, tags)
}

/** Decides whether the held text begins with thoughts. */
function begin(state: State, { pairs, isOpened }: ThoughtTags): boolean {
  const rest = state.held.trimStart()
  const mayBecome = pairs.some(({ open, close }) => mayBecomeTag(rest, open) || mayBecomeTag(rest, close))
  if ((rest === '' || mayBecome) && state.held.length < MAX_HELD_CHARACTERS) return false

  const pair = pairs.find(({ open }) => tagLength(rest, open) > 0)
  const isFirst = !state.hasClosing && !state.hasReasoning
  const closing = findClosing(rest, pairs)
  if (pair) {
    const held = rest.slice(tagLength(rest, pair.open))
    Object.assign(state, { held, pairs: pairs.filter(({ open }) => open === pair.open), hasTags: true })
  } else if (state.hasReasoning && closing?.at === 0) {
    // The server has separated the thoughts, but not the tag that ends them.
    Object.assign(state, { held: rest.slice(closing.end), hasClosing: true })
    return true
  } else if (isFirst && (isOpened === true || findLoneClosing(state.held, pairs))) state.pairs = pairs
  else if (isFirst && isOpened === 'perhaps') Object.assign(state, { pairs, perhaps: '' })
  else {
    if (state.hasClosing) state.held = withoutBlankLines(state.held)
    state.place = 'text'
    return true
  }
  state.place = 'thoughts'
  return true
}

/** The lines between the thoughts and the text belong to neither. */
function withoutBlankLines(text: string): string {
  const blanks = text.length - text.trimStart().length
  return text.slice(text.slice(0, blanks).lastIndexOf('\n') + 1)
}

function think(state: State, text: SplitText): boolean {
  const closing = findClosing(state.held, state.pairs)
  const end = closing?.at ?? undecidedFrom(state.held, state.pairs)
  const thought = closing ? state.held.slice(0, end).trimEnd() : state.held.slice(0, end)
  state.held = state.held.slice(closing?.end ?? end)
  state.depth += countOpenings(thought, state.thoughtEnd, state.pairs)
  state.thoughtEnd = `${state.thoughtEnd}${thought}`.slice(-200)
  if (state.perhaps === undefined) text.addThought(thought)
  else state.perhaps += thought
  if (!closing) return false
  if (state.perhaps !== undefined) text.addThought(state.perhaps)
  text.endThought()
  // After a tag within the thoughts, another one may end them. If none does, the text has begun.
  const isNested = state.depth > 0
  Object.assign(state, { place: isNested ? 'thoughts' : 'start', perhaps: isNested ? '' : undefined })
  Object.assign(state, { opening: '', thoughtEnd: '', depth: Math.max(0, state.depth - 1), hasClosing: true })
  return true
}

/** What was said as text stays text, but the tag that shows it to be thoughts is left out. */
function say(state: State, text: SplitText, { pairs }: ThoughtTags): boolean {
  if (state.hasTags) return sayUpToThoughts(state, text, pairs)
  const isPlain = state.hasClosing || state.hasReasoning
  const closing = isPlain ? undefined : findClosing(state.held, pairs)
  const end = closing?.at ?? (isPlain ? state.held.length : undecidedTagFrom(state.held, pairs))
  text.add(state.held.slice(0, end))
  state.held = state.held.slice(end)
  if (!closing) return false
  state.hasClosing = true
  if (!isOutside(text.place())) text.add(state.held.slice(0, closing.end - end))
  state.held = state.held.slice(closing.end - end)
  return true
}

/** The text after the first thoughts. What follows a tag there is held until another one ends it. */
function sayUpToThoughts(state: State, text: SplitText, pairs: readonly TagPair[]): boolean {
  const opening = findOpening(state.held, text.place(), pairs)
  const end = opening?.at ?? undecidedOpeningFrom(state.held, text.place(), pairs)
  text.add(state.held.slice(0, end))
  const tag = state.held.slice(end, opening?.end ?? end)
  state.held = state.held.slice(opening?.end ?? end)
  if (!opening) return false
  Object.assign(state, { place: 'thoughts', pairs: [opening.pair], perhaps: '', opening: tag })
  return true
}

/** The place from which the text may turn out to be a tag, or blanks before one. */
function undecidedFrom(text: string, pairs: readonly TagPair[]): number {
  const before = text.slice(0, undecidedTagFrom(text, pairs)).trimEnd()
  const end = before.endsWith('`') ? before.length - 1 : before.length
  return Math.max(end, text.length - MAX_HELD_CHARACTERS)
}

/** No more text comes, or not before something else. */
function settle(state: State, text: SplitText): void {
  if (state.place === 'thoughts' && state.perhaps === undefined) {
    text.addThought(state.held)
    text.endThought()
  } else {
    const rest = `${state.perhaps ?? ''}${state.held}`
    const isAfterThoughts = state.perhaps !== undefined && state.opening === '' && state.hasClosing
    const words = isAfterThoughts ? withoutBlankLines(rest) : `${state.opening}${rest}`
    if (!state.hasClosing || words.trim() !== '') text.add(words)
  }
  Object.assign(state, { held: '', perhaps: undefined, opening: '', place: 'text' })
}
