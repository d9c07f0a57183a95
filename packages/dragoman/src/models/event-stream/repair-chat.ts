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

/** Repairs a chunk of chat completions. Chunks without choices, such as keep-alives, become chunks that say nothing. */
export function repairChatChunk(value: JsonObject): LooseObject {
  const { error: own = null, ...chunk } = value
  const choices = objects(chunk['choices'])
  const error = readProblem(choices.length === 0 ? value : { error: own })
  return {
    ...chunk,
    ...(error && { error }),
    id: text(chunk['id']),
    created: number(chunk['created']),
    model: text(chunk['model']),
    choices: choices.map(repairChoice),
    usage: repairUsage(
      object(chunk['usage']) ?? object(choices[0]?.['usage']) ?? object(object(chunk['x_groq'])?.['usage']),
    ),
  }
}

function repairChoice({ delta, message, finish_reason: finish, ...choice }: JsonObject): LooseObject {
  return { ...choice, delta: repairDelta(object(delta) ?? object(message)), finish_reason: text(finish) }
}

function repairDelta(delta: JsonObject | undefined): LooseObject | undefined {
  if (!delta) return undefined
  const { role, content, reasoning_content: thoughts, reasoning, tool_calls: calls } = delta
  return {
    ...delta,
    role: role === 'assistant' ? role : undefined,
    content: repairContent(content),
    reasoning_content: text(thoughts),
    reasoning: text(reasoning),
    tool_calls: calls === undefined ? undefined : objects(calls).map(repairCall),
  }
}

function repairContent(content: Json | undefined): unknown {
  if (typeof content !== 'object' || content === null) return text(content)
  const parts: readonly Json[] = Array.isArray(content) ? content : [content]
  return parts
    .map((part) => (typeof part === 'string' ? { type: 'text', text: part } : part))
    .filter((part) => text(object(part)?.['type']) !== undefined)
}

function repairCall({ index, id, function: called, extra_content: extra, ...call }: JsonObject): LooseObject {
  const google = object(object(extra)?.['google'])
  const own = object(called)
  return {
    ...call,
    index: number(index),
    id: word(id),
    function: { name: text(own?.['name']), arguments: callArguments(own?.['arguments']) },
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
