import {
  callArguments,
  counts,
  number,
  object,
  readProblem,
  text,
  word,
  type JsonObject,
  type LooseObject,
} from './json-fields.ts'

/** Repairs an event of OpenAI's responses. Its package passes over events of an unknown type. */
export function repairResponsesEvent(event: JsonObject): LooseObject | string {
  const type = text(event['type'])
  const problem = type === undefined || type === 'error' ? readProblem(event) : undefined
  if (problem) return toErrorEvent(problem, event)
  switch (type) {
    case undefined:
      return 'an event without a type'
    case 'response.completed':
    case 'response.incomplete':
    case 'response.failed':
      return repairEnd(event)
    case 'response.function_call_arguments.delta':
      return { ...event, delta: callArguments(event['delta']) ?? '' }
    case 'response.output_item.added':
    case 'response.output_item.done': {
      const item = object(event['item'])
      if (!item || text(item['type']) === undefined) return `an event of the type ${type} without an item`
      if (item['type'] !== 'function_call') return event
      return { ...event, item: { ...item, arguments: callArguments(item['arguments']) ?? '' } }
    }
    case 'response.output_text.delta':
      return { ...event, delta: text(event['delta']) ?? '', logprobs: undefined }
    default:
      return event
  }
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
