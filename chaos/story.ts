import { isJsonObject, parseJson, type Json } from '../packages/dragoman/src/events/index.ts'

/**
 * What is said and done in one run. The user's message is the story itself, so that a model that remembers nothing can tell it, and go on
 * with it wherever it was cut off.
 */
export type Story = {
  /** Unique: every word of it begins with it. */
  readonly name: string
  /** How long the model takes for each piece of a few letters, in ms. */
  readonly pace: number
  readonly steps: readonly StoryStep[]
}

/** One call of the model: so many words of thought and of text, then calls of tools, then, where it `breaks`, an error. */
export type StoryStep = {
  readonly thought: number
  readonly words: number
  readonly calls: readonly StoryCall[]
  readonly breaks?: true
}

/**
 * `place` is unique. The tool waits so many ms before and after it does what it does. `ask` is allowed first, or not: where two answers are
 * given at once, both are right.
 */
export type StoryCall = {
  readonly place: string
  readonly tool: ToolName
  readonly before: number
  readonly after: number
}

export const TOOLS = ['look', 'write', 'put', 'deaf', 'slow', 'fail', 'ask'] as const
export type ToolName = (typeof TOOLS)[number]

/** What they do more than once does no more than once. */
export const IDEMPOTENT: ReadonlySet<string> = new Set<ToolName>(['look', 'put'])

/** What its user is told of a story that breaks. */
export const BROKEN = 'The story breaks off here.'

const DECORATION = ['', '词', 'é', '🌧', '、', ' the', '—', '雨。'] as const

/** The text of one step. No piece of it is blank, for such are not told to a model again. No two words of all stories are equal, and some take more bytes than letters. */
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

/** As the user says it. */
export function toMessage(story: Story): string {
  return JSON.stringify(story)
}

/** The story that a user's words are, where they are one. */
export function toStory(message: string): Story | undefined {
  const read = parseJson(message)
  return read !== undefined && isStory(read) ? (read as unknown as Story) : undefined
}

function isStory(read: Json): boolean {
  return isJsonObject(read) && typeof read['name'] === 'string' && Array.isArray(read['steps'])
}
