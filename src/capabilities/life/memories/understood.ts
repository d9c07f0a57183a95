import { setImmediate as giveWay } from 'node:timers/promises'

import type { Memory } from './memory.ts'
import { saidIn, type Said } from './said.ts'

/** A memory, and what it says. */
export type Understood = { readonly memory: Memory; readonly said: Said }

/** So many of the longest take a few milliseconds. */
const AT_ONCE = 25

/** Looks at each. All of a user's may take a tenth of a second, for which nobody else must wait. */
export async function understood(memories: readonly Memory[]): Promise<Understood[]> {
  const found: Understood[] = []
  for (const [at, memory] of memories.entries()) {
    if (at > 0 && at % AT_ONCE === 0) await giveWay()
    found.push({ memory, said: saidIn(memory.content) })
  }
  return found
}
