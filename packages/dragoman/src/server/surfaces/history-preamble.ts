import type { Message, Run } from '../../events/index.ts'
import type { Protocol } from '../../protocols/index.ts'
import type { History, Projector } from '../../threads/index.ts'
import type { Cursor } from '../fan-out/index.ts'

/** Maximum number of messages: a client forgets those that are not sent. */
const MAX_MESSAGES = 5_000

/** Where the reader resumes. Chunk indexes include the preamble. */
type PreambleOptions = {
  readonly protocol: Protocol
  readonly after?: Cursor | undefined
  readonly startIndex?: number | undefined
}
type HistorySource = { readonly history: History; readonly projector: Projector }

/** History before the run's first frame, for protocols that need a snapshot. None if the reader resumes later. */
export function historyPreamble(
  run: Run,
  { protocol, after, startIndex }: PreambleOptions,
  source: HistorySource,
): { readonly loadHistory?: () => Promise<readonly Message[]> } {
  const isPastStart = startIndex === undefined && after !== undefined && after.seq > 0
  if (!protocol.needsThread || isPastStart) return {}
  return { loadHistory: () => readHistory(run, source) }
}

/** The messages up to and including the one that the run answers, oldest first. */
async function readHistory(
  { threadId, parentId, request }: Run,
  { history, projector }: HistorySource,
): Promise<readonly Message[]> {
  if (parentId !== undefined) await projector.upTo(threadId)
  const path =
    parentId === undefined ? [] : await history.path(threadId, { leaf: parentId, limit: MAX_MESSAGES })
  const { messageId: id, clientId, sentAt, input: parts } = request
  const question: Message = {
    role: 'user',
    id,
    parts,
    ...(clientId !== undefined && { clientId }),
    ...(sentAt !== undefined && { sentAt }),
  }
  return [...path.map(({ message }) => message), ...(request.history ?? []), question]
}
