import { z } from 'zod'

import type { Json } from 'dragoman/events'
import { anyJson, parseBody } from 'dragoman/protocols'

const body = z.looseObject({
  runner: z.string(),
  workflowId: z.string(),
  inputs: z.record(z.string(), anyJson).default({}),
  runId: z.string(),
  threadId: z.string(),
})

/** The request of a `run_workflow` message. The workflow's id stands for the user's words. */
export function runWorkflowMessage(data: Json): Json {
  const { runner, workflowId, inputs, runId, threadId } = parseBody(body, data, 'data')
  return {
    threadId,
    runId,
    messages: [{ id: `${runId}.workflow`, role: 'user', content: workflowId }],
    tools: [],
    context: [],
    forwardedProps: { runner, workflowId, inputs },
  }
}
