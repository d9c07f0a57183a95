import { z } from 'zod'

import { ServiceError } from '../errors.ts'
import { readBody, useAi } from '../protocols/index.ts'
import { agUiRuns } from './ag-ui-runs.ts'
import type { Holders } from './socket-io-holders.ts'
import type { MessageType, SocketApiOptions } from './socket-io-line.ts'

/** The agent whose runs are workflows. */
const AGENT = 'workflows'

const asked = z.looseObject({
  runner: z.string(),
  workflowId: z.string(),
  inputs: z.record(z.string(), z.json()).default({}),
  runId: z.string(),
  threadId: z.string(),
})

/** Runs a workflow: a run as any other, of an agent of its own. What it is to do is all in its inputs, so that its name stands for the user's words. */
export function runWorkflow({
  agents,
  holders,
  ...ports
}: SocketApiOptions & { readonly holders: Holders }): MessageType {
  const { begin } = agUiRuns(ports)
  return async ({ connection, followed }, data) => {
    const { runner, workflowId, inputs, runId, threadId } = readBody(asked, data, 'data')
    if (!agents.some(({ id }) => id === AGENT))
      throw new ServiceError(
        'not-found',
        `There is no workflow ${workflowId.slice(0, 80)}: none is configured here.`,
      )
    followed.check()
    const request = useAi.parse({
      threadId,
      runId,
      messages: [{ id: `${runId}.workflow`, role: 'user', content: workflowId }],
      tools: [],
      context: [],
      forwardedProps: { runner, workflowId, inputs },
    })
    const { userId } = connection
    const { run } = await begin(request, { userId, agent: AGENT, protocol: useAi, policy: 'enqueue' })
    followed.follow(run, { after: '0', watches: !holders.join(run, connection) })
    return { ok: true, runId: run.id }
  }
}
