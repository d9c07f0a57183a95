import type { Json } from '../../events/index.ts'
import {
  callArguments,
  counts,
  number,
  object,
  objects,
  readProblem,
  text,
  word,
  type JsonObject,
  type LooseObject,
} from './json-fields.ts'
import { createCallHolder } from './hold-calls.ts'
import type { CallPiece } from './join-calls.ts'
import type { Repair } from './repair-events.ts'

/** Reasons of other APIs, which some gateways pass on. */
const REASONS: Readonly<Record<string, string>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  eos: 'stop',
  eos_token: 'stop',
  max_tokens: 'length',
  tool_use: 'tool_calls',
}

/** Repairs an answer of chat completions. A chunk that says nothing, such as a keep-alive, becomes none. */
export function createChatRepair(): Repair {
  const calls = createCallHolder()
  const read = createDeltaReader(calls)
  let chosen: number | undefined
  let isEnded = false
  return {
    isEnded: () => isEnded,
    leftOut({ choices = [] }) {
      if (objects(choices).some(hasSound)) return 'the sound of an answer, of which only the words are kept'
      return calls.hasNameless() ? 'a call of a tool without a name, which is left out' : undefined
    },
    end() {
      const late = calls.rest()
      return late.length > 0 ? [{ choices: [{ delta: { tool_calls: late } }] }] : []
    },
    take(value) {
      const { error: own = null, ...chunk } = value
      const choices = objects(chunk['choices'])
      // Of several answers the package would mix the words.
      if (choices.length > 0) chosen ??= Math.min(...choices.map(indexOf))
      const choice = choices.find((each) => indexOf(each) === chosen)
      const reason = text(choice?.['finish_reason'])
      const finish = reason === undefined ? undefined : (REASONS[reason] ?? reason)
      const error =
        readProblem(choices.length === 0 ? value : { error: own }) ??
        (choice && readProblem({ error: choice['error'] ?? null })) ??
        (finish === 'error' ? { message: 'the provider ended it with an error' } : undefined)
      isEnded ||= error !== undefined || finish !== undefined
      const usage = repairUsage(
        object(chunk['usage']) ?? object(choices[0]?.['usage']) ?? object(object(chunk['x_groq'])?.['usage']),
      )
      if (!error && !choice && !usage) return []
      const repaired = {
        ...chunk,
        ...(error && { error }),
        id: text(chunk['id']),
        created: number(chunk['created']),
        model: text(chunk['model']),
        choices: choice
          ? [{ ...choice, delta: read(choice, finish !== undefined), finish_reason: finish }]
          : [],
        usage,
      }
      return [repaired]
    },
  }
}

function hasSound({ delta, message }: JsonObject): boolean {
  const { audio = null } = object(delta) ?? object(message) ?? {}
  return Boolean(object(audio)?.['data'])
}

function indexOf({ index }: JsonObject): number {
  return number(index) ?? 0
}

/** Names of reasoning that the package does not know. */
const REASONING = ['reasoning', 'reasoning_text', 'thinking', 'reasoning_details'] as const
/** What a delta says. A whole `message` after deltas says it again. */
const KINDS = ['content', 'reasoning_content', 'reasoning', 'tool_calls', 'images', 'annotations'] as const

function createDeltaReader(
  calls: ReturnType<typeof createCallHolder>,
): (choice: JsonObject, isLast: boolean) => LooseObject | undefined {
  const kinds = new Set<string>()
  return (choice, isLast) => {
    const own = object(choice['delta'])
    const message = object(choice['message'])
    const words = text(choice['text'])
    const delta = own && repairDelta(own)
    for (const kind of KINDS) if (isSaid(delta?.[kind])) kinds.add(kind)
    const whole = message && Object.entries(repairDelta(message)).filter(([kind]) => !kinds.has(kind))
    const fields: LooseObject = { ...Object.fromEntries(whole ?? []), ...compact(delta) }
    const pieces = calls.take((fields['tool_calls'] ?? []) as readonly CallPiece[])
    const late = isLast ? calls.rest() : []
    if (!delta && !whole && late.length === 0) return words === undefined ? undefined : { content: words }
    return { ...fields, tool_calls: [...pieces, ...late] }
  }
}

function isSaid(value: unknown): boolean {
  return value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0)
}

function compact(fields: LooseObject = {}): LooseObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => isSaid(value)))
}

function repairDelta(delta: JsonObject): LooseObject {
  const { role, content, reasoning_content: thoughts, tool_calls: calls, function_call: called } = delta
  const legacy = object(called)
  const { outside, pictures } =
    typeof content === 'string' ? takePictures(content) : { outside: content, pictures: [] }
  return {
    ...delta,
    ...(pictures.length > 0 && {
      images: [...objects(delta['images'] ?? []), ...pictures.map((url) => ({ url }))],
    }),
    role: role === 'assistant' ? role : undefined,
    content: repairContent(outside) ?? text(object(delta['audio'])?.['transcript']),
    reasoning_content: text(thoughts) ?? (wordsOf(thoughts) || undefined),
    reasoning: REASONING.map((name) => wordsOf(delta[name])).find((words) => words !== ''),
    tool_calls: legacy
      ? [repairCall({ index: 0, type: 'function', function: legacy })]
      : calls === undefined
        ? undefined
        : objects(calls).map(repairCall),
  }
}

/** The beginning of a picture that a gateway writes into the text: at most 300 characters. */
const PICTURE = /!\[[^\]]{0,200}\]\((?=data:image\/[\w.+-]{1,40};base64,)/g

/** The words around pictures in a text, and their addresses. A pattern for their data could fill the stack. */
function takePictures(content: string): { readonly outside: string; readonly pictures: readonly string[] } {
  const pictures: string[] = []
  let outside = ''
  let at = 0
  for (const { 0: head, index } of content.matchAll(PICTURE)) {
    const start = index + head.length
    const end = content.indexOf(')', start)
    const url = content.slice(start, end)
    if (index < at || end < 0 || /[^\w+/=-]/.test(url.slice(url.indexOf(',') + 1))) continue
    pictures.push(url)
    outside += content.slice(at, index)
    at = end + 1
  }
  return { outside: outside + content.slice(at), pictures }
}

/** The words in a text, or in an object or list of objects that hold it. */
function wordsOf(value: Json | undefined): string {
  if (Array.isArray(value)) return value.map((each: Json) => text(each) ?? wordsOf(object(each))).join('')
  const own = object(value)
  if (!own) return text(value) ?? ''
  return text(own['text']) ?? text(own['content']) ?? text(own['summary']) ?? ''
}

function repairContent(content: Json | undefined): unknown {
  if (typeof content !== 'object' || content === null) return text(content)
  const parts: readonly Json[] = Array.isArray(content) ? content : [content]
  return parts.map(toContentPart).filter(({ type }) => text(type) !== undefined)
}

/** The words of some servers have no type. */
function toContentPart(part: Json): JsonObject {
  const own: JsonObject = typeof part === 'string' ? { text: part } : (object(part) ?? {})
  return 'text' in own ? { type: 'text', ...own } : own
}

/** The input of a custom call is a text. */
function repairCall({
  index,
  id,
  type,
  custom,
  function: called,
  extra_content: extra,
  ...call
}: JsonObject) {
  const google = object(object(extra)?.['google'])
  const ofText = object(custom)
  const own = object(called) ?? ofText
  return {
    ...call,
    ...(ofText ? { isText: true } : { type }),
    index: number(index),
    id: word(id),
    function: {
      ...own,
      name: text(own?.['name']),
      arguments: callArguments(own?.['arguments'] ?? own?.['input']),
    },
    ...(google && { extra_content: { google: { thought_signature: text(google['thought_signature']) } } }),
  }
}

function repairUsage(usage: JsonObject | undefined): LooseObject | undefined {
  if (!usage) return undefined
  const { prompt_tokens: prompt, completion_tokens: completion } = usage
  return {
    ...counts(usage, 'total_tokens'),
    prompt_tokens: number(prompt) ?? number(usage['input_tokens']),
    completion_tokens: number(completion) ?? number(usage['output_tokens']),
    prompt_tokens_details: counts(object(usage['prompt_tokens_details']), 'cached_tokens'),
    completion_tokens_details: counts(
      object(usage['completion_tokens_details']),
      'reasoning_tokens',
      'accepted_prediction_tokens',
      'rejected_prediction_tokens',
    ),
  }
}
