import type { Context } from 'hono'

import { isJsonObject, type Json } from 'dragoman/events'
import { agUiProtocol } from '../protocol/index.ts'
import { type RunRequest } from 'dragoman/protocols'
import type { HttpEnv } from 'dragoman/http'
import { endsWithCaller, unreadCheck, type Conversations } from 'dragoman/surfaces'
import type { AgUiRuns } from './ag-ui-runs.ts'
import { followThread } from './follow-thread.ts'
import { streamPart } from './stream-part.ts'

/** Answers a `RunAgentInput`: with a run, with what follows its answers, or with what the thread has. */
export async function runAgent(
  c: Context<HttpEnv>,
  { agent, body }: { readonly agent: string; readonly body: Json },
  ports: Conversations & { readonly agUiRuns: Pick<AgUiRuns, 'startOrResume'> },
): Promise<Response> {
  const endsWith = { endsWithCaller: endsWithCaller(c, agUiProtocol) }
  const request = agUiProtocol.parse(body)
  const { agUiRuns, replies } = ports
  if (isWithoutMessage(request) && !(await isOpening(request, { userId: c.get('userId'), agent }, ports)))
    return followThread(c, { agent, ...namesIn(request.view) }, ports)
  const options = {
    userId: c.get('userId'),
    agent,
    protocol: agUiProtocol,
    policy: 'reject',
    isUnread: unreadCheck(c, replies),
  } as const
  const { run, isNew, ...part } = await agUiRuns.startOrResume(request, options)
  return streamPart(c, run, { ...(isNew && endsWith), ...part }, ports)
}

function isWithoutMessage(request: RunRequest): boolean {
  return 'message' in request ? request.message.parts.length === 0 : request.answers.length === 0
}

/** Whether it asks the agent to begin a conversation. */
async function isOpening(
  request: RunRequest,
  { userId, agent }: { readonly userId: string; readonly agent: string },
  { threads, runs }: Pick<Conversations, 'threads' | 'runs'>,
): Promise<boolean> {
  if (!('message' in request)) return false
  const thread = await threads.find(userId, request.thread ?? '', agent)
  return !thread || !(await runs.current(thread.id))
}

function namesIn(view: Json): { threadId: string; runId: string; version?: string } {
  const { threadId, runId, version } = isJsonObject(view) ? view : {}
  return {
    threadId: typeof threadId === 'string' ? threadId : '',
    runId: typeof runId === 'string' ? runId : '',
    ...(typeof version === 'string' && { version }),
  }
}
