import type { Json } from '../../events/index.ts'
import {
  number,
  object,
  objects,
  parsedArguments,
  readProblem,
  text,
  type JsonObject,
  type LooseObject,
} from './json-fields.ts'

/** Repairs a chunk of Gemini's. */
export function repairGoogleChunk({ error: own = null, ...chunk }: JsonObject): LooseObject {
  const error = readProblem({ error: own })
  return {
    ...chunk,
    ...(error && {
      error: { ...error, code: number(error['code']) ?? null, status: text(error['status']) ?? 'UNKNOWN' },
    }),
    responseId: text(chunk['responseId']),
    candidates: objects(chunk['candidates']).map(repairCandidate),
    usageMetadata: repairUsage(object(chunk['usageMetadata']) ?? object(chunk['usage'])),
    promptFeedback: object(chunk['promptFeedback']),
  }
}

function repairCandidate(candidate: JsonObject): LooseObject {
  const content = object(candidate['content'])
  return {
    ...candidate,
    content: content && { ...content, parts: objects(content['parts']).map(repairPart) },
    finishReason: text(candidate['finishReason']),
    finishMessage: text(candidate['finishMessage']),
    groundingMetadata: object(candidate['groundingMetadata']),
  }
}

/** A part of an unknown kind has none of these fields, and says nothing. */
function repairPart(part: JsonObject): LooseObject {
  const call = object(part['functionCall'])
  const thoughtSignature = text(part['thoughtSignature'])
  if (call)
    return {
      functionCall: {
        ...call,
        id: text(call['id']),
        name: text(call['name']),
        args:
          typeof call['args'] === 'string' ? (parsedArguments(call['args']) ?? call['args']) : call['args'],
      },
      thoughtSignature,
    }
  return {
    ...part,
    text: text(part['text']),
    thought: typeof part['thought'] === 'boolean' ? part['thought'] : undefined,
    thoughtSignature,
  }
}

const DETAILS = /Details$/

function repairUsage(usage: JsonObject | undefined): LooseObject | undefined {
  if (!usage) return undefined
  const read = ([name, value]: [string, Json]): [string, unknown][] => {
    if (name.endsWith('Count')) return [[name, number(value)]]
    return DETAILS.test(name) ? [] : [[name, text(value)]]
  }
  return Object.fromEntries(Object.entries(usage).flatMap(read))
}
