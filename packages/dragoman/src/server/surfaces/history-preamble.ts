import type { Message, Run } from '../../events/index.ts'
import type { Protocol } from '../../protocols/index.ts'
import type { History, Projector } from '../../threads/index.ts'
import type { Cursor } from '../fan-out/index.ts'

/** Messages that are told of what was said before a run, at most: a client forgets those of which it is not told. */
const MAX_MESSAGES = 5_000

/** Where a reader goes on. Whoever counts chunks counts those of the beginning, too. */
type PreambleOptions = {
  readonly protocol: Protocol
  readonly after?: Cursor | undefined
  readonly startIndex?: number | undefined
}
type HistorySource = { readonly history: History; readonly projector: Projector }

/** The conversation before a run, for a reader to whom it is told: where the run begins, and only there. */
export function historyPreamble(
  run: Run,
  { protocol, after, startIndex }: PreambleOptions,
  source: HistorySource,
): { readonly loadHistory?: () => Promise<readonly Message[]> } {
  const isPastStart = startIndex === undefined && after !== undefined && after.seq > 0
  if (!protocol.needsThread || isPastStart) return {}
  return { loadHistory: () => readHistory(run, source) }
}

/** Up to what a run answers, that included, oldest first. */
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
