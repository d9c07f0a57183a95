import type { Message, Run } from '../events/index.ts'
import type { History, Projector } from '../threads/index.ts'

/** Messages that are told of what was said before a run, at most: a client forgets those of which it is not told. */
const MOST = 5_000

/** The conversation up to what a run answers, that included, oldest first. */
export async function conversationBefore(
  { threadId, parentId, request }: Run,
  { history, projector }: { readonly history: History; readonly projector: Projector },
): Promise<readonly Message[]> {
  if (parentId !== undefined) await projector.upTo(threadId)
  const path = parentId === undefined ? [] : await history.path(threadId, { leaf: parentId, limit: MOST })
  const { messageId: id, clientId, sentAt, input: parts } = request
  const said: Message = {
    role: 'user',
    id,
    parts,
    ...(clientId !== undefined && { clientId }),
    ...(sentAt !== undefined && { sentAt }),
  }
  return [...path.map(({ message }) => message), ...(request.history ?? []), said]
}
