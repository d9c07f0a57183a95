import type { RunEvent } from '../../events/index.ts'
import type { WorkerAnswer, WorkerRequest } from './worker-messages.ts'

/**
 * Requests and answers as one flat list of values. What nearly all of them are, the append of a delta, has no object in
 * it: to copy one from thread to thread costs more than to write a row.
 */
export type FlatMessages = readonly unknown[]

const APPEND = 0
const OTHER = 1
const DELTAS = ['text.delta', 'reasoning.delta'] as const
const REQUEST_FIELDS = 7
const ANSWER_FIELDS = 4

export function flattenRequests(requests: readonly WorkerRequest[]): FlatMessages {
  const flat: unknown[] = []
  for (const request of requests) {
    const [runId, events, as] = request.args
    const delta = request.operation === 'append' ? plainDelta(events as readonly RunEvent[]) : undefined
    const epoch = delta && plainEpoch(as)
    if (delta && epoch !== undefined)
      flat.push(APPEND, request.id, runId, DELTAS.indexOf(delta.type), delta.partId, delta.delta, epoch)
    else flat.push(OTHER, request)
  }
  return flat
}

export function readRequests(flat: FlatMessages): WorkerRequest[] {
  const requests: WorkerRequest[] = []
  for (let at = 0; at < flat.length;) {
    if (flat[at] === OTHER) {
      requests.push(flat[at + 1] as WorkerRequest)
      at += 2
      continue
    }
    const [, id, runId, type, partId, delta, epoch] = flat.slice(at, at + REQUEST_FIELDS)
    const event = { type: DELTAS[Number(type)], partId, delta }
    requests.push({ id: Number(id), operation: 'append', args: [runId, [event], { epoch }] })
    at += REQUEST_FIELDS
  }
  return requests
}

export function flattenAnswers(answers: readonly WorkerAnswer[]): FlatMessages {
  const flat: unknown[] = []
  for (const answer of answers) {
    const place = answer.error ? undefined : plainPlace(answer.result)
    if (place) flat.push(APPEND, answer.id, place.seq, place.at)
    else flat.push(OTHER, answer)
  }
  return flat
}

export function readAnswers(flat: FlatMessages): WorkerAnswer[] {
  const answers: WorkerAnswer[] = []
  for (let at = 0; at < flat.length;) {
    if (flat[at] === OTHER) {
      answers.push(flat[at + 1] as WorkerAnswer)
      at += 2
      continue
    }
    const [, id, seq, time] = flat.slice(at, at + ANSWER_FIELDS)
    answers.push({ id: Number(id), result: { seq, at: time } })
    at += ANSWER_FIELDS
  }
  return answers
}

type PlainDelta = Extract<RunEvent, { type: (typeof DELTAS)[number] }>

/** The event of a list, if it is one delta and has no fields that a later version may add. */
function plainDelta([event, ...more]: readonly RunEvent[]): PlainDelta | undefined {
  if (!event || more.length > 0) return undefined
  const isPlain = event.type === 'text.delta' || event.type === 'reasoning.delta'
  return isPlain && hasOnly(event, 3) && 'partId' in event && 'delta' in event ? event : undefined
}

function plainEpoch(as: unknown): number | undefined {
  if (typeof as !== 'object' || as === null || !hasOnly(as, 1)) return undefined
  return 'epoch' in as && typeof as.epoch === 'number' ? as.epoch : undefined
}

function plainPlace(result: unknown): { seq: unknown; at: unknown } | undefined {
  if (typeof result !== 'object' || result === null || !hasOnly(result, 2)) return undefined
  return 'seq' in result && 'at' in result ? { seq: result.seq, at: result.at } : undefined
}

function hasOnly(value: object, fields: number): boolean {
  return Object.keys(value).length === fields
}
