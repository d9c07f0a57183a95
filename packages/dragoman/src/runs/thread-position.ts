import { nanoid } from 'nanoid'

import { ServiceError } from '../errors.ts'
import { textOf, type ChatRequest, type Message, type ClientTurn, type UserPart } from '../events/index.ts'
import type { Store } from '../log/index.ts'
import type { History, StoredMessage, Thread } from '../threads/index.ts'

/** Where a new message stands in its conversation, its id, and its parts if they are those of a known message. */
export type ThreadPosition = {
  readonly parentId?: string
  readonly turns: readonly ClientTurn[]
  readonly messageId: string
  readonly input?: readonly UserPart[]
}

type Rows = {
  readonly history: History
  readonly store: Pick<Store, 'get'>
}

/**
 * The rows of the conversation must have all that its runs have said.
 * @throws ServiceError `not-found` if there is no such message to replace, `invalid-request` for a message without
 * parts in a conversation that has begun
 */
export async function findPosition(
  request: ChatRequest,
  thread: Pick<Thread, 'id'>,
  { history, store }: Rows,
): Promise<ThreadPosition> {
  const { branch, message, turns, replaces } = request
  if (replaces !== undefined) {
    return positionOfReplaced(request, replaces, async (name) => {
      const messageId = (await store.get(name))?.messageId
      const found = await history.find(thread.id, messageId ?? name)
      if (found) return found
      throw new ServiceError('not-found', 'There is no such message in this conversation.')
    })
  }
  const stored = message.clientId === undefined ? undefined : await history.find(thread.id, message.clientId)
  if (branch && stored?.row.role === 'user') {
    return siblingOf(stored, branch === 'again' ? stored.row.id : newMessageId())
  }
  // A message without turns continues the conversation at its end.
  if (turns.length === 0 && !branch) {
    const path = await history.path(thread.id, { limit: request.resends ? 3 : 1 })
    const [first] = request.resends && path.length < 3 ? path : []
    if (first?.row.role === 'user' && textOf(first.message) === textOfParts(message.parts))
      return { turns: [], messageId: first.row.id }
    const latest = path.at(-1)
    if (latest && message.parts.length === 0)
      throw new ServiceError('invalid-request', 'messages: there is no new message for this conversation.')
    return { ...(latest && { parentId: latest.row.id }), turns: [], messageId: newMessageId() }
  }
  const { unknown, ...place } = await history.place(thread.id, turns)
  return { ...place, turns: unknown, messageId: newMessageId() }
}

/**
 * Another answer is a sibling of the old one, after the same message of the user's; another wording beside that
 * message.
 */
async function positionOfReplaced(
  { message }: ChatRequest,
  name: string,
  find: (name: string) => Promise<StoredMessage>,
): Promise<ThreadPosition> {
  const found = await find(name)
  const replaced = found.row.role === 'user' ? found : await find(found.row.parent_id ?? name)
  if (replaced.message.role !== 'user')
    throw new ServiceError('invalid-request', 'replaces: there is no message of the user’s before this one.')
  if (message.parts.length > 0 && replaced === found) return siblingOf(replaced, newMessageId())
  if (message.parts.length > 0)
    throw new ServiceError('invalid-request', 'replaces: an answer is replaced by another, not by a message.')
  return { ...siblingOf(replaced, replaced.row.id), input: replaced.message.parts }
}

function siblingOf({ row }: StoredMessage, messageId: string): ThreadPosition {
  const parentId = row.parent_id ?? undefined
  return { ...(parentId !== undefined && { parentId }), turns: [], messageId }
}

function textOfParts(parts: readonly UserPart[]): string {
  return textOf({ role: 'user', id: '', parts })
}

/** Only the texts of a client's earlier turns count. A turn without text only names the client's place. */
export function toMessages(turns: readonly ClientTurn[]): Message[] {
  return turns.filter(({ text }) => text.trim() !== '').map(toMessage)
}

function toMessage({ role, text, sentAt }: ClientTurn): Message {
  const id = newMessageId()
  const when = sentAt === undefined ? {} : { sentAt }
  if (role === 'user') return { role, id, parts: [{ type: 'text', text }], ...when }
  return {
    role,
    id,
    status: 'finished',
    parts: [{ type: 'text', partId: `${id}.1`, text, open: false }],
    ...when,
  }
}

/** The text of a message that a client sends, and nothing else of it. */
export function toTurn(message: Message): ClientTurn[] {
  const text = textOf(message)
  return text === '' ? [] : [{ role: message.role, text }]
}

export function newMessageId(): string {
  return `msg_${nanoid(12)}`
}
