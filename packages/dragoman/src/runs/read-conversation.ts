import { serverNote, type Message, type Run, type UserPart } from '../events/index.ts'
import type { StoredMessage } from '../threads/index.ts'
import type { RunsOptions } from './ports.ts'

/** Turns of a conversation that a model is given, at most. */
const MAX_TURNS = 200
/** Bytes of these turns as they are stored. No model reads as much. */
const MAX_TURN_BYTES = 32 * 1024 * 1024

const OPENING = toNote('The user has opened the conversation, and has said nothing yet. Begin it.')
const LEFT_OUT = toNote('Earlier messages are left out.')

function toNote(sentence: string): UserPart {
  return { type: 'text', text: serverNote(sentence) }
}

type Rows = Pick<RunsOptions, 'history' | 'projector'>

type Request = {
  readonly run: Run
  /** What stands before the user's message. */
  readonly lines: readonly string[]
  /** How many of the last messages the model gets; undefined for all. */
  readonly window: number | undefined
}

/** What the model is given: the path to the user's message, which the client's surroundings stand before. */
export async function readConversation(
  { run, lines, window }: Request,
  rows: Rows,
): Promise<{ readonly messages: readonly Message[]; readonly bytes: number }> {
  const { request, parentId } = run
  const before = parentId === undefined ? [] : await turnsBefore(rows, { ...run, parentId }, window)
  const context: UserPart[] = lines.length > 0 ? [{ type: 'text', text: lines.join('\n') }] : []
  // Models answer only a message.
  const input = request.input.length > 0 ? request.input : [OPENING]
  const userMessage: Message = { role: 'user', id: request.messageId, parts: [...context, ...input] }
  const messages = [...before.map(({ message }) => message), ...(request.history ?? []), userMessage]
  const note = (before[0]?.row.parent_id ?? null) === null ? OPENING : LEFT_OUT
  return {
    // Some providers take no conversation that an answer begins.
    messages:
      messages[0]?.role === 'assistant'
        ? [{ role: 'user', id: `${request.messageId}-note`, parts: [note] }, ...messages]
        : messages,
    bytes: before.reduce((sum, { row }) => sum + row.parts.length, 0),
  }
}

/** Those that the agent has room for: the newest, and the first where they do not reach back to it. */
async function turnsBefore(
  { history, projector }: Rows,
  { threadId, parentId: leaf }: Run & { readonly parentId: string },
  window: number | undefined,
): Promise<readonly StoredMessage[]> {
  const limit = window ?? MAX_TURNS
  const readPath = () => history.path(threadId, { leaf, limit, maxBytes: MAX_TURN_BYTES })
  let latest = await readPath()
  // The run before it may have gone on since this one was given its place. A row with an end is the last word on it.
  const parent = latest.at(-1)
  if (!parent || parent.row.finish_reason === 'incomplete') {
    await projector.upTo(threadId)
    latest = await readPath()
  }
  if (window === undefined || latest.length < limit || latest[0]?.row.parent_id === null) return latest
  const first = await history.root(threadId, leaf)
  return first ? [first, ...latest] : latest
}
