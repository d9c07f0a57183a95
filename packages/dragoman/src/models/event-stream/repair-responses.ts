import {
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
import type { Repair } from './repair-events.ts'
import { createItems } from './response-items.ts'

const PARTIAL_PICTURE = 'response.image_generation_call.partial_image'

/**
 * Repairs an answer of OpenAI's responses. Its package passes over events of an unknown type. It reads words from
 * deltas alone; other servers send some only with the end of an item, or of the answer.
 */
export function createResponsesRepair(): Repair {
  const items = createItems()
  let isEnded = false
  const finish = (event: JsonObject, type: string): LooseObject[] => {
    isEnded = true
    const output = objects(object(event['response'])?.['output'] ?? [])
    return [...items.missing(output, type === 'response.completed'), { ...repairEnd(event), type }]
  }
  const take = (event: JsonObject): readonly LooseObject[] | string => {
    const type = text(event['type'])
    const problem = type === undefined || type === 'error' ? readProblem(event) : undefined
    if (problem) {
      isEnded = true
      return [toErrorEvent(problem, event)]
    }
    switch (type) {
      case undefined:
        if (event['object'] !== 'response') return 'an event without a type'
        return finish({ response: event }, endType(event['status']))
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
        return finish(event, type)
      case 'response.done':
        return finish(event, endType(object(event['response'])?.['status']))
      case 'response.output_item.added':
      case 'response.output_item.done': {
        const item = object(event['item'])
        if (!item || text(item['type']) === undefined) return `an event of the type ${type} without an item`
        return type === 'response.output_item.added' ? items.add(event, item) : items.finish(event, item)
      }
      default:
        return items.take(event, type)
    }
  }
  const leftOut = ({ type }: JsonObject): string | undefined =>
    type === PARTIAL_PICTURE ? 'a picture before it was whole, which is left out' : undefined
  return { take, leftOut, isEnded: () => isEnded }
}

function endType(status: unknown): string {
  return status === 'incomplete' || status === 'failed' ? `response.${status}` : 'response.completed'
}

function toErrorEvent({ message, type = 'error', code }: LooseObject, event: JsonObject): LooseObject {
  return {
    type: 'error',
    sequence_number: number(event['sequence_number']) ?? 0,
    error: { type, message, code: word(code) ?? null },
  }
}

function repairEnd(event: JsonObject): LooseObject {
  const response = object(event['response'])
  const error = response && readProblem({ error: response['error'] ?? null })
  const reason = text(object(response?.['incomplete_details'])?.['reason'])
  return {
    ...event,
    sequence_number: number(event['sequence_number']) ?? 0,
    response: {
      ...response,
      error: error && { ...error, code: word(error['code']) ?? null },
      incomplete_details: reason === undefined ? undefined : { reason },
      usage: repairUsage(object(response?.['usage']) ?? object(event['usage'])),
      service_tier: text(response?.['service_tier']),
    },
  }
}

function repairUsage(usage: JsonObject | undefined): LooseObject | undefined {
  const input = number(usage?.['input_tokens'])
  const output = number(usage?.['output_tokens'])
  if (!usage || input === undefined || output === undefined) return undefined
  return {
    ...usage,
    input_tokens: input,
    output_tokens: output,
    input_tokens_details: counts(
      object(usage['input_tokens_details']),
      'cached_tokens',
      'cache_write_tokens',
    ),
    output_tokens_details: counts(object(usage['output_tokens_details']), 'reasoning_tokens'),
  }
}
