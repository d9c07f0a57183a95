import { setImmediate as giveWay } from 'node:timers/promises'

import type { Memory } from './memory.ts'
import { saidIn, type Said } from './said.ts'

/** A memory, and what it says. */
export type Understood = { readonly memory: Memory; readonly said: Said }

/** So many of the longest take a few milliseconds. */
const AT_ONCE = 25

/** When those who have come before have had their turn. */
let before: Promise<unknown> = Promise.resolve()

/**
 * Looks at each. All of a user's may take a tenth of a second, for which nobody else must wait: however many ask at once, between two turns of
 * theirs comes whatever else the server has to do.
 */
export async function understood(memories: readonly Memory[]): Promise<Understood[]> {
  const found: Understood[] = []
  for (let at = 0; at < memories.length; at += AT_ONCE) {
    found.push(...(await inTurn(() => memories.slice(at, at + AT_ONCE).map(lookedAt))))
  }
  return found
}

function inTurn<T>(look: () => T): Promise<T> {
  const mine = before.then(() => giveWay()).then(look)
  before = mine.catch(() => undefined)
  return mine
}

function lookedAt(memory: Memory): Understood {
  return { memory, said: saidIn(memory.content) }
}
