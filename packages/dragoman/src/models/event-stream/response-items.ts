import { ANNOTATION_ADDED, createAnnotations } from './response-annotations.ts'
import {
  callArguments,
  number,
  object,
  objects,
  text,
  type JsonObject,
  type LooseObject,
} from './json-fields.ts'
import { createResponseCalls, isCallEnd, isCallDelta, repairCall, withoutInput } from './response-calls.ts'

const ITEM_DONE = 'response.output_item.done'
/** What ends the code of OpenAI's interpreter. The package makes the call of it. */
const CODE_DONE = 'response.code_interpreter_call_code.done'
const TEXT_DELTA = 'response.output_text.delta'
const REFUSAL_DELTA = 'response.refusal.delta'
const SUMMARY_DELTA = 'response.reasoning_summary_text.delta'
const REASONING_DELTA = 'response.reasoning_text.delta'
const TYPE_OF_DELTA: Readonly<Record<string, string>> = {
  [TEXT_DELTA]: 'message',
  [REFUSAL_DELTA]: 'message',
  [SUMMARY_DELTA]: 'reasoning',
}

/** The delta of the words that come whole, once they have ended. */
const TYPE_OF_END: Readonly<Record<string, string>> = {
  'response.output_text.done': TEXT_DELTA,
  'response.refusal.done': REFUSAL_DELTA,
  'response.reasoning_summary_text.done': SUMMARY_DELTA,
  'response.reasoning_text.done': SUMMARY_DELTA,
  'response.content_part.done': TEXT_DELTA,
}

type Position = { readonly index: number; readonly id: string; readonly start: readonly LooseObject[] }

/** Where the items of an answer are. What has no index and no known id belongs to the newest one. */
function createPositions() {
  const indexes = new Map<string, number>()
  const open = new Map<number, string>()
  const counts = new Map<string, number>()
  let newest = -1
  const indexOf = (event: JsonObject, id: string | undefined): number | undefined =>
    number(event['output_index']) ?? (id === undefined ? undefined : indexes.get(id))
  const begin = (event: JsonObject, item: JsonObject): Position => {
    const own = idOf(item)
    const index = indexOf(event, own) ?? newest + 1
    const id = own ?? `item_${index}`
    newest = index
    indexes.set(id, index)
    open.set(index, id)
    const type = text(item['type']) ?? ''
    counts.set(type, (counts.get(type) ?? 0) + 1)
    const start = {
      type: 'response.output_item.added',
      output_index: index,
      item: repairCall({ ...item, id }),
    }
    return { index, id, start: [start] }
  }
  return {
    begin,
    /** The open item of an event. If there is none, one of this form begins, if any. */
    find(event: JsonObject, id: string | undefined, form: JsonObject | undefined): Position {
      const index = indexOf(event, id) ?? Math.max(newest, 0)
      const own = open.get(index)
      if (own === undefined && form) return begin(event, form)
      return { index, id: own ?? id ?? `item_${index}`, start: [] }
    },
    close: (index: number): void => void open.delete(index),
    /** The items of a whole output of which nothing has arrived: those after the ones that have, by their kind. */
    missing(output: readonly JsonObject[]): JsonObject[] {
      const places = new Map<string, number>()
      return output.filter((item) => {
        const type = text(item['type']) ?? ''
        const place = (places.get(type) ?? 0) + 1
        places.set(type, place)
        return place > (counts.get(type) ?? 0) && !indexes.has(idOf(item) ?? '')
      })
    },
    next: (): number => newest + 1,
  }
}

type Positions = ReturnType<typeof createPositions>
type Calls = ReturnType<typeof createResponseCalls>

/** The words of the current items. */
function createWords(positions: Positions, calls: Calls) {
  /** The types of the items whose words have arrived as deltas. */
  const voices = new Set<string>()
  const delta = (event: JsonObject, type: string, words: string): LooseObject[] => {
    const kind = TYPE_OF_DELTA[type]
    if (kind !== undefined && words !== '') voices.add(kind)
    const id = text(event['item_id'])
    const form = kind === undefined ? undefined : { type: kind, ...(id !== undefined && { id }) }
    const at = positions.find(event, id, form)
    calls.take(at.index, event)
    return [
      ...at.start,
      { ...event, type, item_id: at.id, output_index: at.index, delta: words, logprobs: undefined },
    ]
  }
  return {
    delta,
    /** Those of an event at their end, if no others have arrived. */
    late(event: JsonObject, type: string): LooseObject[] {
      const [kind = '', words = ''] = wordsAtEnd(event, type)
      if (words === '' || voices.has(TYPE_OF_DELTA[kind] ?? '')) return []
      const { text: _, refusal: _refusal, part: _part, ...place } = event
      return delta({ summary_index: 0, ...place }, kind, words)
    },
    /** Those of an item at its end, if no others have arrived. */
    ofItem(item: JsonObject, index: number): LooseObject[] {
      const type = text(item['type']) ?? ''
      const say = ([kind, words]: readonly [string, string]): LooseObject[] =>
        delta({ output_index: index, summary_index: 0 }, kind, words)
      const late = voices.has(type) ? [] : lateWords(item).flatMap(say)
      voices.delete(type)
      return late
    },
    forget: (): void => voices.clear(),
  }
}

/** The items of one answer. */
export function createItems() {
  const positions = createPositions()
  const calls = createResponseCalls()
  const words = createWords(positions, calls)
  const annotations = createAnnotations()
  const withCode = new Set<number>()
  const lateCode = (item: JsonObject, index: number, id: string): LooseObject[] =>
    item['type'] !== 'code_interpreter_call' || withCode.has(index)
      ? []
      : [{ type: CODE_DONE, output_index: index, item_id: id, code: text(item['code']) ?? '' }]
  const finish = (event: JsonObject, item: JsonObject): LooseObject[] => {
    const { index, id, start } = positions.find(event, idOf(item), withoutInput(item))
    const late = [...words.ofItem(item, index), ...lateCode(item, index, id)]
    positions.close(index)
    const end = { ...event, output_index: index, item: calls.end(index, { ...item, id: idOf(item) ?? id }) }
    return [...start, ...late, ...annotations.late(item), end]
  }
  return {
    add(event: JsonObject, item: JsonObject): readonly LooseObject[] {
      const { index, start } = positions.begin(event, item)
      calls.begin(index, item)
      return start
    },
    finish,
    take(event: JsonObject, type: string): LooseObject[] {
      const piece = callArguments(event['delta']) ?? ''
      switch (type) {
        case TEXT_DELTA:
        case REFUSAL_DELTA:
          return words.delta(event, type, piece)
        case SUMMARY_DELTA:
          return words.delta({ summary_index: 0, ...event }, type, piece)
        case REASONING_DELTA:
          return words.delta({ ...event, summary_index: 0 }, SUMMARY_DELTA, piece)
        case ANNOTATION_ADDED:
          return annotations.add(event)
        case CODE_DONE:
          withCode.add(positions.find(event, text(event['item_id']), undefined).index)
          return [event]
        default:
          if (isCallDelta(type)) return words.delta(event, type, piece)
          if (!isCallEnd(type)) return [...words.late(event, type), event]
          // The package does not read it.
          calls.take(positions.find(event, text(event['item_id']), undefined).index, event)
          return []
      }
    },
    /** The items of the whole output that have not arrived, and the calls that have not ended. */
    missing(output: readonly JsonObject[], isComplete: boolean): LooseObject[] {
      const end = (item: JsonObject, index = positions.next()): LooseObject[] =>
        finish({ type: ITEM_DONE, output_index: index }, item)
      const ends = calls.unfinished(output, isComplete).flatMap(([index, item]) => end(item, index))
      // No word of them has.
      words.forget()
      const lateItems = positions.missing(output).flatMap((item) => end(item))
      return [...ends, ...lateItems, ...output.flatMap(annotations.late)]
    },
  }
}

/** Words that may have arrived with their end alone, and the type of their delta. */
function wordsAtEnd(event: JsonObject, type: string): readonly [kind?: string, words?: string] {
  const kind = TYPE_OF_END[type]
  if (kind === undefined) return []
  const { text: words, refusal } = object(event['part']) ?? event
  return [refusal === undefined ? kind : REFUSAL_DELTA, text(words) ?? text(refusal) ?? '']
}

/** The words that an item holds, by the type of their delta. */
function lateWords(item: JsonObject): (readonly [string, string])[] {
  const parts = item['type'] === 'message' || item['type'] === 'reasoning' ? ['summary', 'content'] : []
  const isThought = item['type'] === 'reasoning'
  return parts
    .flatMap((name) => objects(item[name] ?? []))
    .flatMap((part) => {
      const refusal = text(part['refusal'])
      const words = text(part['text']) ?? refusal
      if (words === undefined) return []
      const type = refusal === undefined ? TEXT_DELTA : REFUSAL_DELTA
      return [[isThought ? SUMMARY_DELTA : type, words] as const]
    })
}

function idOf(item: JsonObject): string | undefined {
  return text(item['id']) ?? text(item['call_id'])
}
