import { ServiceError } from '../../errors.ts'
import { isGuest } from '../../events/index.ts'
import type { Runs } from '../../runs/index.ts'
import type { Conversations } from './surface-services.ts'

type StartRequest = Parameters<Runs['start']>[0]

/**
 * The one way in which surfaces start a run: what a caller may not ask for is refused here.
 * @throws ServiceError `forbidden`, and what `runs.start` throws
 */
export async function startRun(
  request: StartRequest,
  { runs, requireModel }: Pick<Conversations, 'runs' | 'requireModel'>,
): ReturnType<Runs['start']> {
  const { userId, agent, model, tools = [] } = request
  if (model !== undefined) requireModel({ userId, agent, model })
  // Their descriptions are part of each request to the model, and the owner pays for it.
  if (isGuest(userId) && tools.length > 0)
    throw new ServiceError('forbidden', 'tools: guests cannot bring tools.')
  return runs.start(request)
}
