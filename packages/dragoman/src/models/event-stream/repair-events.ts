import { isJsonObject, parseJson, type Json } from '../../events/index.ts'
import { readJsonReason } from '../read-json-reason.ts'
import { number, object, text, type JsonObject, type LooseObject } from './json-fields.ts'
import { createEventParser, type ServerEvent } from './parse-events.ts'
import { DATA, readBody, readLines } from './read-body.ts'

const MAX_CHARACTERS = 200

/** Repairs one answer. */
export type Repair = {
  /** The event as the provider's package takes it, in one piece or more, or a clause on why it is passed over. */
  take(event: JsonObject): readonly LooseObject[] | string
  /** A clause on what of an event is not kept, although the event is taken. */
  leftOut?(event: JsonObject): string | undefined
  /** Whether the provider has said how the answer ends. */
  isEnded(): boolean
  /** What the package still needs at the end. */
  end?(): readonly LooseObject[]
}

/**
 * Repairs the events of a provider's stream before its package reads them. One event that the package does not know
 * fails the whole answer there, although all of it may arrive. Whether the answer is complete is decided by its
 * finish. `api` names the form that the package reads. `onPassOver` gets a clause for each event that is left out.
 * The last one may be the reason why there is no finish.
 */
export function repairEvents(
  repair: Repair,
  api: string,
  onPassOver: (what: string) => void,
): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder()
  const encoder = new TextEncoder()
  const parser = createEventParser()
  let reason: LooseObject | undefined
  let answerApi: string | undefined
  const write = (event: ServerEvent): string => {
    if (event.data.trim() === '[DONE]') return 'data: [DONE]\n\n'
    const value = readEvent(event)
    // Some servers end events with a line feed alone.
    const several = value === undefined ? readLines(event.data) : undefined
    if (several)
      return several.map((each) => write({ name: event.name, data: JSON.stringify(each) })).join('')
    answerApi ??= value && apiOf(value)
    const repaired = value === undefined ? 'an event that is no JSON object' : repair.take(value)
    const leftOut = value && repair.leftOut?.(value)
    if (leftOut !== undefined) onPassOver(leftOut)
    if (repaired.length === 0 || typeof repaired === 'string')
      reason = findReason(value ?? event.data) ?? reason
    if (typeof repaired !== 'string') return toText(repaired)
    onPassOver(repaired)
    return ''
  }
  const writeEnd = (): string => {
    const missing = repair.end?.() ?? []
    if (repair.isEnded()) return toText(missing)
    const last = findReason(parseJson(parser.rest) ?? parser.rest) ?? reason ?? describeOther(answerApi, api)
    const problem = last === undefined ? [] : repair.take({ error: { ...last } as JsonObject })
    return typeof problem === 'string' ? '' : toText(problem)
  }
  return new TransformStream({
    transform(chunk, controller) {
      const events = parser
        .take(decoder.decode(chunk, { stream: true }))
        .map(write)
        .join('')
      if (events !== '') controller.enqueue(encoder.encode(events))
    },
    flush(controller) {
      // The last event may lack its blank line.
      const last = parser.end()
      const end = last && isWhole(last) ? write(last) : ''
      const whole = readBody(parser.body).map((event) =>
        write({ name: undefined, data: JSON.stringify(event) }),
      )
      const events = [end, ...whole, writeEnd()].join('')
      if (events !== '') controller.enqueue(encoder.encode(events))
    },
  })
}

/** The API that has events of this form. */
function apiOf(event: JsonObject): string | undefined {
  const type = text(event['type']) ?? ''
  if (CLAUDE_EVENT.test(type)) return 'anthropic'
  if (type.startsWith(RESPONSE_EVENT)) return 'responses'
  if ('candidates' in event) return 'google'
  return 'choices' in event ? 'chat' : undefined
}

const CLAUDE_EVENT = /^(?:message|content_block)_\w+$/
const RESPONSE_EVENT = 'response.'

function describeOther(answerApi: string | undefined, api: string): LooseObject | undefined {
  if (answerApi === undefined || answerApi === api) return undefined
  return {
    message: `It has the form of the API "${answerApi}", and was asked as "${api}". Change its api in models.yaml`,
  }
}

/** Whether the last event is one, and not half of it. */
function isWhole({ data }: ServerEvent): boolean {
  return data.trim() === '[DONE]' || isJsonObject(parseJson(data))
}

function toText(events: readonly LooseObject[]): string {
  return events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
}

/** The error in what says nothing to the package: words, or JSON that holds some. */
function findReason(value: Json): LooseObject | undefined {
  if (typeof value === 'string') {
    const isSentence = /\s/.test(value.trim()) && !/^\s*[{[<]/.test(value)
    return isSentence ? { message: value.trim().slice(0, MAX_CHARACTERS) } : undefined
  }
  const message = readJsonReason(value)
  if (message === undefined) return undefined
  const own = isJsonObject(value) ? (object(value['error']) ?? value) : {}
  return { message, code: number(own['code']), status: text(own['status']) }
}

/** Undefined for what is no object. An event that is named `error` is one, whatever it holds. */
function readEvent({ name, data }: ServerEvent): JsonObject | undefined {
  const value = parseJson(data) ?? parseJson(data.replace(DATA, ''))
  if (name !== 'error') return isJsonObject(value) ? withType(value, name) : undefined
  if (!isJsonObject(value)) return { type: 'error', error: data }
  return 'error' in value || 'type' in value ? value : { type: 'error', error: value }
}

/** Some gateways write the type of an event as its name alone. */
function withType(value: JsonObject, name = ''): JsonObject {
  const isType = CLAUDE_EVENT.test(name) || name.startsWith(RESPONSE_EVENT)
  return isType && !('type' in value) ? { ...value, type: name } : value
}
