import { setImmediate as immediate } from 'node:timers/promises'

import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'

type Part = LanguageModelV4StreamPart
type Delta = Extract<Part, { type: 'text-delta' | 'reasoning-delta' | 'tool-input-delta' }>
type Read = { readonly value?: Part | undefined }

/** A delta of this length is passed on, even if more has arrived. */
const MAX_DELTA_CHARACTERS = 16_384
/** The same for so many deltas: they may be empty. */
const MAX_DELTAS = 1000

/**
 * Reads a model's parts, and merges deltas that have already arrived: one network chunk contains many, and each
 * part costs a pass through the whole server. It never waits: a single delta is returned before the process
 * handles any other input. Returns undefined at the end.
 */
export function mergeDeltas(read: () => Promise<Read>): () => Promise<Part | undefined> {
  let ahead: Promise<Read> | undefined
  return async () => {
    const { value } = await (ahead ?? read())
    ahead = undefined
    if (!value || !isDelta(value)) return value

    const { promise, resolve } = Promise.withResolvers<Part>()
    let merged: Delta = value
    let { delta } = value
    let count = 1
    let isDone = false
    const finish = (): void => {
      isDone = true
      resolve(delta === merged.delta ? merged : { ...merged, delta })
    }
    const onRead = ({ value: next }: Read): void => {
      if (isDone) return
      if (delta.length >= MAX_DELTA_CHARACTERS || count >= MAX_DELTAS || !continues(merged, next))
        return finish()
      delta += next.delta
      count += 1
      // Provider metadata of a later delta replaces the earlier one.
      if (next.providerMetadata) merged = { ...merged, ...next }
      readAhead()
    }
    const readAhead = (): void => {
      ahead = read()
      ahead.then(onRead, finish)
    }
    readAhead()
    // Runs after all settled promises: by then, everything that has arrived is read.
    process.nextTick(finish)
    return promise
  }
}

/**
 * Passes a large delta on in pieces, and lets the event loop turn in between: each piece is searched for tags, stored,
 * encoded and sent to all readers. The last one has the metadata.
 */
export function splitDeltas(read: () => Promise<Part | undefined>): () => Promise<Part | undefined> {
  let rest: Delta | undefined
  return async () => {
    if (rest) await immediate()
    const part = rest ?? (await read())
    rest = undefined
    if (!part || !isDelta(part) || part.delta.length < 2 * MAX_DELTA_CHARACTERS) return part
    const { type, id, delta } = part
    // Half of a character is none.
    const end = MAX_DELTA_CHARACTERS - Number(/[\uD800-\uDBFF]/.test(delta.charAt(MAX_DELTA_CHARACTERS - 1)))
    rest = { ...part, delta: delta.slice(end) }
    return { type, id, delta: delta.slice(0, end) }
  }
}

function isDelta(part: Part): part is Delta {
  return part.type === 'text-delta' || part.type === 'reasoning-delta' || part.type === 'tool-input-delta'
}

/** Whether both are of one piece of the answer. */
function continues(delta: Delta, next: Part | undefined): next is Delta {
  return next !== undefined && next.type === delta.type && next.id === delta.id
}
