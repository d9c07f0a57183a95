import {
  callArguments,
  counts,
  number,
  object,
  objects,
  parsedArguments,
  readProblem,
  text,
  type JsonObject,
  type LooseObject,
} from './json-fields.ts'
import type { Repair } from './repair-events.ts'

/** The types that the package knows. */
const BLOCKS =
  /^(?:text|thinking|tool_use|redacted_thinking|compaction|fallback|server_tool_use|mcp_tool_use|\w+_tool_result)$/
const DELTAS = /^(?:text|thinking|signature|input_json|compaction|citations)_delta$/

/**
 * Repairs an answer of Claude's API, which adds types of events, blocks and deltas without notice. Servers that
 * imitate it leave out indexes, beginnings and ends.
 */
export function createAnthropicRepair(): Repair {
  const blocks = createBlocks()
  let hasReason = false
  let isEnded = false
  const finish = (): LooseObject[] => {
    const reason = hasReason ? [] : [repairMessageDelta({ delta: { stop_reason: blocks.reason() } })]
    isEnded = true
    return [...blocks.close(), ...reason, { type: 'message_stop' }]
  }
  const take = (event: JsonObject): readonly LooseObject[] | string => {
    const type = text(event['type'])
    switch (type) {
      case 'message':
        return wholeMessage(event).flatMap((each) => {
          const events = take(each)
          return typeof events === 'string' ? [] : events
        })
      case 'message_start':
        return [repairStart(event), ...blocks.startWith(event)]
      case 'content_block_start':
        return blocks.start(event)
      case 'content_block_delta':
        return blocks.add(event)
      case 'content_block_stop':
        return blocks.stop(event)
      case 'message_delta':
        if (text(object(event['delta'])?.['stop_reason']) === undefined) return [repairMessageDelta(event)]
        hasReason = true
        return [...blocks.close(), ...blocks.say(readRefusal(event)), repairMessageDelta(event)]
      case 'message_stop':
        return isEnded ? 'a second end' : finish()
      case 'ping':
        return [{ type }]
      default: {
        const problem = readProblem(event)
        if (!problem) return `an event of the unknown type ${String(type)}`
        isEnded = true
        return [{ type: 'error', error: { ...problem, type: problem['type'] ?? 'api_error' } }]
      }
    }
  }
  return { take, isEnded: () => isEnded || hasReason, end: () => (hasReason && !isEnded ? finish() : []) }
}

/** The blocks of an answer. What has no index belongs to the newest one. */
function createBlocks() {
  const open = new Set<number>()
  let hasCalls = false
  const passedOver = new Set<number>()
  let newest = -1
  const stop = (index: number): LooseObject[] =>
    open.delete(index) ? [{ type: 'content_block_stop', index }] : []
  const start = (index: number, block: JsonObject): LooseObject[] => {
    const ended = stop(index)
    newest = index
    open.add(index)
    hasCalls ||= block['type'] === 'tool_use'
    return [
      ...ended,
      { type: 'content_block_start', index, content_block: repairBlock(block, index) },
      ...firstDeltas(block).map((delta) => ({ type: 'content_block_delta', index, delta })),
    ]
  }
  return {
    /** How an answer ends that does not say so. */
    reason: () => (hasCalls ? 'tool_use' : 'end_turn'),
    /** What an answer holds from its beginning. The package takes no more of it than calls. */
    startWith: (event: JsonObject): LooseObject[] =>
      objects(object(event['message'])?.['content'] ?? [])
        .filter(({ type }) => type !== 'tool_use' && BLOCKS.test(text(type) ?? ''))
        .flatMap((block) => start(newest + 1, block)),
    start(event: JsonObject): LooseObject[] | string {
      const block = object(event['content_block'])
      const kind = text(block?.['type']) ?? ''
      const index = number(event['index']) ?? newest + 1
      if (block && BLOCKS.test(kind)) return start(index, block)
      newest = index
      passedOver.add(index)
      return `a block of the unknown type ${kind}`
    },
    add(event: JsonObject): LooseObject[] | string {
      const delta = object(event['delta'])
      const kind = text(delta?.['type']) ?? ''
      const index = number(event['index']) ?? Math.max(newest, 0)
      if (!delta || !DELTAS.test(kind)) return `a delta of the unknown type ${kind}`
      if (!open.has(index) && passedOver.has(index)) return 'a delta of a block that is passed over'
      const type = TYPE_OF_DELTA[kind]
      if (!open.has(index) && type === undefined) return 'a delta of a block that has not begun'
      const first = open.has(index) ? [] : start(index, { type: type ?? 'text' })
      return [...first, { type: 'content_block_delta', index, delta: repairDelta(delta) }]
    },
    stop(event: JsonObject): LooseObject[] | string {
      const ended = stop(number(event['index']) ?? newest)
      return ended.length > 0 ? ended : 'the end of a block that is passed over'
    },
    close: (): LooseObject[] => [...open].flatMap(stop),
    /** A block of text. */
    say(words: string | undefined): LooseObject[] {
      if (words === undefined) return []
      const block = start(newest + 1, { type: 'text', text: words })
      return [...block, ...stop(newest)]
    },
  }
}

/** The block that a delta belongs to. A call cannot be begun by a delta: it would have no name. */
const TYPE_OF_DELTA: Readonly<Record<string, string>> = {
  text_delta: 'text',
  citations_delta: 'text',
  thinking_delta: 'thinking',
  signature_delta: 'thinking',
}

/** What a block holds from its beginning. The package reads it from deltas. */
function firstDeltas(block: JsonObject): LooseObject[] {
  const { type, text: words, thinking, signature } = block
  if (type === 'text')
    return [
      ...(words ? [{ type: 'text_delta', text: text(words) ?? '' }] : []),
      ...objects(block['citations'] ?? []).map((citation) => ({ type: 'citations_delta', citation })),
    ]
  if (type !== 'thinking') return []
  return [
    ...(thinking ? [{ type: 'thinking_delta', thinking: text(thinking) ?? '' }] : []),
    ...(signature ? [{ type: 'signature_delta', signature: text(signature) ?? '' }] : []),
  ]
}

/** Why Claude does not answer. The package has no place for it that readers see. */
function readRefusal(event: JsonObject): string | undefined {
  const details = object(event['delta'])?.['stop_details'] ?? event['stop_details']
  const words = text(object(details)?.['explanation'])?.trim()
  return words === '' ? undefined : words
}

/** The events of an answer that came in one piece. */
function wholeMessage(message: JsonObject): JsonObject[] {
  const {
    content,
    stop_reason = 'end_turn',
    stop_sequence = null,
    stop_details = null,
    usage = null,
  } = message
  return [
    { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
    ...objects(content ?? []).flatMap((block, index) => [
      { type: 'content_block_start', index, content_block: block },
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason, stop_sequence, stop_details }, usage },
    { type: 'message_stop' },
  ]
}

function repairStart(event: JsonObject): LooseObject {
  const message = object(event['message'])
  const usage = object(message?.['usage'])
  return {
    type: 'message_start',
    message: {
      id: text(message?.['id']),
      model: text(message?.['model']),
      role: text(message?.['role']),
      content: objects(message?.['content']).filter(({ type }) => type === 'tool_use'),
      usage: { ...repairUsage(usage), input_tokens: number(usage?.['input_tokens']) ?? 0 },
      stop_reason: text(message?.['stop_reason']),
    },
  }
}

/** Usage may be anywhere, and be absent: then there are no tokens. */
function repairMessageDelta(event: JsonObject): LooseObject {
  const delta = object(event['delta'])
  const usage = object(event['usage']) ?? object(delta?.['usage'])
  return {
    type: 'message_delta',
    delta: { stop_reason: text(delta?.['stop_reason']), stop_sequence: text(delta?.['stop_sequence']) },
    usage: {
      ...repairUsage(usage),
      output_tokens: number(usage?.['output_tokens']) ?? 0,
      output_tokens_details: counts(object(usage?.['output_tokens_details']), 'thinking_tokens'),
    },
  }
}

function repairUsage(usage: JsonObject | undefined): LooseObject {
  return {
    ...counts(usage, 'input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens'),
    service_tier: text(usage?.['service_tier']),
  }
}

function repairBlock(block: JsonObject, index: number): LooseObject {
  switch (block['type']) {
    case 'text':
      return { type: 'text', text: '' }
    case 'thinking':
      return { type: 'thinking', thinking: '' }
    case 'tool_use':
    case 'server_tool_use':
      return {
        ...block,
        id: text(block['id']) ?? `call_${index}`,
        input: parsedArguments(block['input']),
        caller: object(block['caller']),
      }
    default:
      return block
  }
}

function repairDelta(delta: JsonObject): LooseObject {
  switch (delta['type']) {
    case 'text_delta':
      return { ...delta, text: text(delta['text']) ?? '' }
    case 'thinking_delta':
      return { ...delta, thinking: text(delta['thinking']) ?? '' }
    case 'input_json_delta':
      return { ...delta, partial_json: callArguments(delta['partial_json']) ?? '' }
    default:
      return delta
  }
}
