import { Hono, type Context } from 'hono'

import { describeRoute, type Agent } from '../../../agents/index.ts'
import { ServiceError } from '../../../errors.ts'
import { agUi, parseBody } from '../../../protocols/index.ts'
import { readJson, type HttpEnv } from '../../http/index.ts'
import * as operations from './openapi.ts'
import { createAgUiRuns } from './ag-ui-runs.ts'
import type { Conversations } from '../surface-services.ts'
import { endsWithCaller } from '../ends-with-caller.ts'
import { unreadCheck } from '../replies.ts'

type NamedAgent = Pick<Agent, 'id' | 'engine'>

export type AgUiOptions = Conversations & { readonly agents: readonly NamedAgent[] }

/** Every agent for AG-UI clients over HTTP, mounted at `/ag-ui`. */
export function agUiRoutes({ agents, replies, ...ports }: AgUiOptions): Hono<HttpEnv> {
  const { startOrResume, stop } = createAgUiRuns(ports)
  const findAgent = (c: Context): NamedAgent => {
    const name = c.req.param('agent') ?? ''
    const agent = agents.find(({ id }) => id === name)
    if (agent) return agent
    throw new ServiceError('not-found', `There is no agent ${name}.`)
  }
  return new Hono<HttpEnv>()
    .post('/:agent', describeRoute(operations.runAgent), async (c) => {
      const { id: agent } = findAgent(c)
      const endsWith = { endsWithCaller: endsWithCaller(c, agUi) }
      const request = agUi.parse(await readJson(c))
      const options = {
        userId: c.get('userId'),
        agent,
        protocol: agUi,
        policy: 'reject',
        isUnread: unreadCheck(c, replies),
      } as const
      const { run, isNew, ...part } = await startOrResume(request, options)
      return replies.stream(c, run, { protocol: agUi, ...(isNew && endsWith), ...part })
    })
    .post('/:agent/stop', describeRoute(operations.stopAgent), async (c) => {
      const { id: agent } = findAgent(c)
      const { threadId: thread, runId: run } = parseBody(operations.stopBody, await readJson(c))
      return c.json({ stopped: await stop({ userId: c.get('userId'), agent, thread, run }) })
    })
    .get('/:agent/capabilities', describeRoute(operations.getCapabilities), (c) =>
      c.json(operations.capabilitiesOf(findAgent(c))),
    )
}
