import { isJsonObject, parseJson, type Json } from '../packages/dragoman/src/events/index.ts'

/**
 * The script of one run. The user's message is the story itself, so that a stateless model can tell it and continue
 * it from any point.
 */
export type Story = {
  /** Unique: it is the prefix of every word. */
  readonly name: string
  /** Delay per piece of a few characters, in ms. */
  readonly pace: number
  readonly steps: readonly StoryStep[]
}

/** One model call: words of reasoning and of text, then tool calls, then an error if it `breaks`. */
export type StoryStep = {
  readonly thought: number
  readonly words: number
  readonly calls: readonly StoryCall[]
  readonly breaks?: true
}

/**
 * `place` is unique. The tool waits before and after its effect, in ms. `ask` needs approval; if two answers are
 * given at once, either is right.
 */
export type StoryCall = {
  readonly place: string
  readonly tool: ToolName
  readonly before: number
  readonly after: number
}

/** The agents that tell stories, one for each engine. */
export const AGENTS = ['pi', 'default'] as const

export const TOOLS = ['look', 'write', 'put', 'deaf', 'slow', 'fail', 'ask'] as const
export type ToolName = (typeof TOOLS)[number]

/** Tools whose repeated effects do no harm. */
export const IDEMPOTENT: ReadonlySet<string> = new Set<ToolName>(['look', 'put'])

/** The error of a story that breaks. */
export const BROKEN = 'The story breaks off here.'

const DECORATION = ['', '词', 'é', '🌧', '、', ' the', '—', '雨。'] as const

/**
 * The text of one step. No piece is blank, because blank texts are not sent to a model again. All words of all
 * stories differ, and some have multi-byte characters.
 */
export function textOf({ name, steps }: Story, step: number): string {
  return words(`${name}/${step}.`, steps[step]?.words ?? 0)
}

export function thoughtOf({ name, steps }: Story, step: number): string {
  return words(`${name}~${step}.`, steps[step]?.thought ?? 0)
}

/** The text of all steps. */
export function wholeText(story: Story): string {
  return story.steps.map((_step, index) => textOf(story, index)).join('')
}

function words(begin: string, count: number): string {
  return Array.from({ length: count }, (_, at) => `${begin}${at}${DECORATION[at % 8]}·`).join('')
}

/** The story as a message. */
export function toMessage(story: Story): string {
  return JSON.stringify(story)
}

/** Parses a message as a story. */
export function toStory(message: string): Story | undefined {
  const read = parseJson(message)
  return read !== undefined && isStory(read) ? (read as unknown as Story) : undefined
}

function isStory(read: Json): boolean {
  return isJsonObject(read) && typeof read['name'] === 'string' && Array.isArray(read['steps'])
}
