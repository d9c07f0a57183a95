import { Hono, type Context } from 'hono'

import { describeRoute, type Agent } from 'dragoman/agents'
import { ServiceError } from 'dragoman/errors'
import { agUiProtocol } from '../protocol/index.ts'
import { parseBody } from 'dragoman/protocols'
import { readChatJson, readJson, type HttpEnv } from 'dragoman/http'
import * as operations from './openapi.ts'
import { createAgUiRuns } from './ag-ui-runs.ts'
import { type Conversations, readQuery, readCursor } from 'dragoman/surfaces'
import { cursorSeq } from 'dragoman/fan-out'
import { rangeAfter } from './log-ranges.ts'
import { asksForJson, openPage } from './open-page.ts'
import { runAgent } from './run-agent.ts'
import { streamPart } from './stream-part.ts'

type NamedAgent = Pick<Agent, 'id' | 'engine'>

export type AgUiOptions = Conversations & { readonly agents: readonly NamedAgent[] }

/** Every agent for AG-UI clients over HTTP, mounted at `/ag-ui`. */
export function agUiRoutes({ agents, ...ports }: AgUiOptions): Hono<HttpEnv> {
  const agUiRuns = createAgUiRuns(ports)
  const findAgent = (c: Context): NamedAgent => {
    const name = c.req.param('agent') ?? ''
    const agent = agents.find(({ id }) => id === name)
    if (agent) return agent
    throw new ServiceError('not-found', `There is no agent ${name}.`)
  }
  return new Hono<HttpEnv>()
    .post('/:agent', describeRoute(operations.runAgent), async (c) => {
      const { id: agent } = findAgent(c)
      return runAgent(c, { agent, body: await readChatJson(c) }, { ...ports, agUiRuns })
    })
    .get('/:agent', describeRoute(operations.resumeRun), async (c) => {
      const { id: agent } = findAgent(c)
      const { threadId: thread, runId: run, ...page } = readQuery(c, operations.resumeQuery)
      if (thread !== undefined && run === undefined && asksForJson(c))
        return openPage(c, { agent, threadId: thread, ...page }, ports)
      const found = await agUiRuns.find({ userId: c.get('userId'), agent, thread, run })
      if (!found) throw new ServiceError('not-found', 'There is no such run.')
      const entries = await ports.runs.structure(found)
      return streamPart(c, found, rangeAfter(cursorSeq(readCursor(c) ?? '0'), entries, agUiProtocol), ports)
    })
    .post('/:agent/stop', describeRoute(operations.stopAgent), async (c) => {
      const { id: agent } = findAgent(c)
      const { threadId: thread, runId: run } = parseBody(operations.stopBody, await readJson(c))
      return c.json({ stopped: await agUiRuns.stop({ userId: c.get('userId'), agent, thread, run }) })
    })
    .get('/:agent/capabilities', describeRoute(operations.getCapabilities), (c) =>
      c.json(operations.capabilitiesOf(findAgent(c))),
    )
}
