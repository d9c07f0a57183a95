import type { Message, Run } from '../../events/index.ts'
import type { Protocol } from '../../protocols/index.ts'
import type { MessagePage, MessagePages, Projector } from '../../threads/index.ts'
import type { Runs } from '../../runs/index.ts'
import { withoutMessages, type Cursor, type RunHistory } from '../fan-out/index.ts'

/** Maximum number of messages: a client forgets those that are not sent. */
const MAX_MESSAGES = 5_000
/** A client takes 8 MB, and what is stored of a message may be a little more than what is sent. */
export const MAX_HISTORY_BYTES: number = 9 * 1024 * 1024

/** Where the reader resumes. Chunk indexes include the preamble. */
type PreambleOptions = {
  readonly protocol: Protocol
  readonly after?: Cursor | undefined
  readonly startIndex?: number | undefined
}
type HistorySource = {
  readonly runs: Pick<Runs, 'get'>
  readonly messagePages: MessagePages
  readonly projector: Projector
}

/** History before the run's first frame, for protocols that need a snapshot. None if the reader resumes later. */
export function historyPreamble(
  run: Run,
  { protocol, after, startIndex }: PreambleOptions,
  source: HistorySource,
): { readonly history?: RunHistory } {
  const isPastStart = startIndex === undefined && after !== undefined && after.seq > 0
  if (!protocol.needsThread || isPastStart) return {}
  return { history: createHistory(withoutMessages(run), requestBytes(run), source) }
}

/** `own`: the bytes of the messages of the run's request. */
function createHistory(run: Run, own: number, source: HistorySource): RunHistory {
  let pages: Promise<readonly MessagePage[]> | undefined
  const find = async (): Promise<readonly MessagePage[]> => (pages ??= findPages(run, source))
  return {
    async bytes() {
      const bytes = sizeOf(await find()) + own
      return bytes > MAX_HISTORY_BYTES ? 0 : bytes
    },
    async read() {
      const found = await find()
      if (sizeOf(found) + own > MAX_HISTORY_BYTES) return undefined
      const whole = await source.runs.get(run.userId, run.id)
      return [...(await readMessages(found)), ...(whole.request.history ?? []), ...questionOf(whole)]
    },
  }
}

function requestBytes({ request: { history = [], input } }: Run): number {
  const parts = [...history.flatMap((message): readonly object[] => message.parts), ...input]
  return parts.reduce<number>((sum, part) => sum + bytesOf(part), 0)
}

/** About the bytes of a message's part. */
function bytesOf(part: object): number {
  if ('text' in part && typeof part.text === 'string') return part.text.length
  return 'url' in part && typeof part.url === 'string' ? part.url.length : 0
}

/** The path up to the run. */
async function findPages(
  { threadId, parentId: leaf }: Run,
  { messagePages, projector }: HistorySource,
): Promise<readonly MessagePage[]> {
  if (leaf === undefined) return []
  await projector.refresh(threadId)
  const { pages } = await messagePages.end(threadId, { leaf, limit: MAX_MESSAGES })
  return Array.fromAsync(pages())
}

/** The user's message, unless the agent began. */
function questionOf({ request: { messageId: id, clientId, sentAt, input: parts } }: Run): Message[] {
  if (parts.length === 0) return []
  const times = sentAt === undefined ? {} : { sentAt }
  return [{ role: 'user', id, parts, ...(clientId !== undefined && { clientId }), ...times }]
}

/** About the bytes that pages read. */
export function sizeOf(pages: readonly MessagePage[]): number {
  return pages.reduce((sum, { bytes }) => sum + bytes, 0)
}

/** Reads pages one after the other: their rows are larger than their messages. */
export async function readMessages(pages: readonly MessagePage[]): Promise<Message[]> {
  const messages: Message[] = []
  for (const { read } of pages) messages.push(...(await read()).map(({ message }) => message))
  return messages
}
