import { Hono, type Context } from 'hono'

import { describeRoute, type Agent } from '../../agents/index.ts'
import { ServiceError } from '../../errors.ts'
import { agUi, parseBody } from '../../protocols/index.ts'
import { readJson, type HttpEnv } from '../http/index.ts'
import * as operations from './ag-ui-operations.ts'
import { agUiRuns, MOST_BYTES } from './ag-ui-runs.ts'
import type { Conversations } from './conversations.ts'
import { unreadFor } from './replies.ts'

type Named = Pick<Agent, 'id' | 'engine'>

export type AgUiOptions = Conversations & { readonly agents: readonly Named[] }

/** Every agent, as any AG-UI client over HTTP speaks to it: mounted at `/ag-ui`. */
export function agUiApi({ agents, replies, ...ports }: AgUiOptions): Hono<HttpEnv> {
  const { begin, stop } = agUiRuns(ports)
  const agentIn = (c: Context): Named => {
    const name = c.req.param('agent') ?? ''
    const agent = agents.find(({ id }) => id === name)
    if (agent) return agent
    throw new ServiceError('not-found', `There is no agent ${name}.`)
  }
  return new Hono<HttpEnv>()
    .post('/:agent', describeRoute(operations.runAgent), async (c) => {
      const { id: agent } = agentIn(c)
      const endsWithCaller = stopsWithCaller(c)
      const request = agUi.parse(await readJson(c, MOST_BYTES))
      const asking = {
        userId: c.get('userId'),
        agent,
        protocol: agUi,
        policy: 'reject',
        isUnread: unreadFor(c, replies),
      } as const
      const { run, ...part } = await begin(request, asking)
      return replies.stream(c, run, { protocol: agUi, endsWithCaller, ...part })
    })
    .post('/:agent/stop', describeRoute(operations.stopAgent), async (c) => {
      const { id: agent } = agentIn(c)
      const { threadId: thread, runId: run } = parseBody(operations.stopBody, await readJson(c))
      return c.json({ stopped: await stop({ userId: c.get('userId'), agent, thread, run }) })
    })
    .get('/:agent/capabilities', describeRoute(operations.getCapabilities), (c) =>
      c.json(operations.capabilitiesOf(agentIn(c))),
    )
}

/** Some clients' only stop is to hang up. */
function stopsWithCaller(c: Context): boolean {
  const wanted = c.req.query('disconnect') ?? 'detach'
  if (wanted === 'stop' || wanted === 'detach') return wanted === 'stop'
  throw new ServiceError('invalid-request', 'disconnect must be "stop" or "detach".')
}
