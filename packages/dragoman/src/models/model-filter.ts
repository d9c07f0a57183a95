import { ServiceError } from '../errors.ts'

/** The models that a user may run. The demo model is always one of them: it costs nothing. */
export interface ModelFilter {
  /** `name` is a full name, as `ModelChoice` has it. */
  allows(name: string): boolean
  /** Those that the lists name one by one, in the order of the lists. */
  readonly names: readonly string[]
  /** The error for another model. Its sentence is short, however long the lists are. */
  refusal(name: string): ServiceError
}

/** Finds the full name that a text means: `anthropic:claude-haiku-5-5` for `haiku`. */
export type FindFullName = (text: string) => string | undefined

/** A model, or all whose names begin alike. */
type Pattern = { readonly start: string; readonly isPrefix: boolean }

const MAX_LENGTH = 200
/** In a refusal. */
const MAX_PATTERNS = 8
const MAX_NAME_LENGTH = 100
/** What a name may have where a list has `*`. Some providers put the name into an address. */
const PLAIN_NAME = /^[\w.:/@+~-]*$/
const STEP_IN_PATH = /[/:]\.{1,2}(?:\/|$)/

/** A model must be in each of the lists. An entry is the name of a model, or the beginning of names and `*`. */
export function createModelFilter(
  lists: readonly (readonly string[])[],
  findFullName: FindFullName,
): ModelFilter {
  const parsed = lists.map((list) => list.flatMap((entry) => readPattern(entry, findFullName) ?? []))
  const all = new Map(parsed.flat().map((pattern) => [toText(pattern), pattern]))
  const patterns = Array.from(all.values()).filter((pattern) =>
    parsed.every((list) => list.some((each) => covers(each, pattern))),
  )
  return {
    allows: (name) =>
      name === 'offline' || patterns.some((each) => covers(each, { start: name, isPrefix: false })),
    names: patterns.flatMap(({ start, isPrefix }) => (isPrefix ? [] : [start])),
    refusal: (name) => modelRefusal(toLabel(name), [...new Set([...patterns.map(toText), 'offline'])]),
  }
}

/** The problem with a list of models: a clause that follows the name of its field. */
export function modelListFault(list: unknown, findFullName: FindFullName): string | undefined {
  if (!Array.isArray(list) || list.length === 0) return ` must be a list of models, such as ${EXAMPLES}`
  const entries: readonly unknown[] = list
  const faults = entries.map((entry) => entryFault(entry, findFullName))
  const index = faults.findIndex((fault) => fault !== undefined)
  return index === -1 ? undefined : `[${index}] ${faults[index]}`
}

const EXAMPLES = 'anthropic/claude-sonnet-5-5 and openai/*'

function entryFault(entry: unknown, findFullName: FindFullName): string | undefined {
  if (typeof entry !== 'string' || entry.trim() !== entry || entry === '' || entry.length > MAX_LENGTH)
    return `must be the name of a model, such as ${EXAMPLES}`
  if (entry.slice(0, -1).includes('*')) return 'may have one *, at its end'
  if (readPattern(entry, findFullName)) return undefined
  return 'is not a known model. Use PROVIDER/MODEL, PROVIDER/*, sonnet, haiku, offline, or a model of models.yaml'
}

function readPattern(entry: string, findFullName: FindFullName): Pattern | undefined {
  const name = findFullName(entry)
  if (name === undefined) return undefined
  return name.endsWith('*') ? { start: name.slice(0, -1), isPrefix: true } : { start: name, isPrefix: false }
}

function covers({ start, isPrefix }: Pattern, other: Pattern): boolean {
  if (!isPrefix) return !other.isPrefix && other.start === start
  return other.start.startsWith(start) && PLAIN_NAME.test(other.start) && !STEP_IN_PATH.test(other.start)
}

function toText({ start, isPrefix }: Pattern): string {
  return `${toLabel(start)}${isPrefix ? '*' : ''}`
}

/** As names are written in settings and requests. */
function toLabel(fullName: string): string {
  return fullName.replace(':', '/')
}

function modelRefusal(name: string, patterns: readonly string[]): ServiceError {
  const texts = patterns.slice(0, MAX_PATTERNS).map(shorten)
  const others = patterns.length - texts.length
  return new ServiceError(
    'forbidden',
    `model: ${shorten(name)} is not allowed. Use ${texts.join(', ')}` +
      (others > 0 ? `, or one of ${others} others.` : '.'),
    {
      translations: {
        zh:
          `model：不允许使用 ${shorten(name)}。可以使用 ${texts.join('、')}` +
          (others > 0 ? `，以及另外 ${others} 个模型。` : '。'),
      },
    },
  )
}

function shorten(text: string): string {
  return text.length > MAX_NAME_LENGTH ? `${text.slice(0, MAX_NAME_LENGTH)}…` : text
}
