import { textOf, type ClientTurn } from '../events/index.ts'
import type { StoredMessage } from './message-rows.ts'
import { removeWhitespace } from './match-client-history.ts'

/** The place of a new message: after `parentId`, and after `unknown` turns that are not stored yet. */
export type MessagePlace = { readonly parentId?: string; readonly unknown: readonly ClientTurn[] }

/**
 * Places a message by the text of the turns before it, for clients that send no ids. Usually all turns are the end of
 * the path. Otherwise (the client dropped old turns or is on another branch) the longest matching run counts.
 */
export function findParentByText(
  stored: readonly StoredMessage[],
  turns: readonly ClientTurn[],
): MessagePlace {
  const idOf = createTextIds()
  const path = stored.map(({ message }) => idOf(message.role, textOf(message)))
  const ids = turns.map(({ role, text }) => idOf(role, text))
  let start = Math.max(0, path.length - ids.length)
  let best = countEqual(path, ids, start)
  for (let from = path.length - 1; from >= 0 && best < ids.length; from--) {
    const length = countEqual(path, ids, from)
    if (length > best) [start, best] = [from, length]
  }
  const parent = stored[start + best - 1]
  return { ...(best > 0 && parent && { parentId: parent.row.id }), unknown: turns.slice(best) }
}

/** The number of first turns that equal the path from `from` on. */
function countEqual(path: readonly number[], ids: readonly number[], from: number): number {
  const end = ids.findIndex((turn, index) => path[from + index] !== turn)
  return end < 0 ? ids.length : end
}

/** Gives equal numbers for equal texts, so that long texts are compared only once each. */
function createTextIds(): (role: string, text: string) => number {
  const ids = new Map<string, number>()
  return (role, text) => {
    const key = `${role} ${removeWhitespace(text)}`
    const id = ids.get(key) ?? ids.size
    ids.set(key, id)
    return id
  }
}
