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

/** Repairs an answer of Claude's API, which adds types of events, blocks and deltas without notice. */
export function createAnthropicRepair(): Repair {
  const openBlocks = new Set<number>()
  return (event) => {
    const type = text(event['type'])
    const index = number(event['index'])
    switch (type) {
      case 'message_start':
        return repairStart(event)
      case 'content_block_start': {
        const block = object(event['content_block'])
        const kind = text(block?.['type']) ?? ''
        if (index === undefined || !block || !BLOCKS.test(kind)) return `a block of the unknown type ${kind}`
        openBlocks.add(index)
        return { type, index, content_block: repairBlock(block, index) }
      }
      case 'content_block_delta': {
        const delta = object(event['delta'])
        if (index === undefined || !openBlocks.has(index)) return 'a delta of a block that is passed over'
        const kind = text(delta?.['type']) ?? ''
        if (!delta || !DELTAS.test(kind)) return `a delta of the unknown type ${kind}`
        return { type, index, delta: repairDelta(delta) }
      }
      case 'content_block_stop':
        if (index === undefined || !openBlocks.delete(index)) return 'the end of a block that is passed over'
        return { type, index }
      case 'message_delta':
        return repairMessageDelta(event)
      case 'message_stop':
      case 'ping':
        return { type }
      default: {
        const problem = readProblem(event)
        if (!problem) return `an event of the unknown type ${String(type)}`
        return { type: 'error', error: { ...problem, type: problem['type'] ?? 'api_error' } }
      }
    }
  }
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
      return { ...block, text: text(block['text']) ?? '' }
    case 'thinking':
      return { ...block, thinking: text(block['thinking']) ?? '' }
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
