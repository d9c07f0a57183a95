import { createHash } from 'node:crypto'

import type { WorkflowRequest, WorkflowUpdate, WorkflowRunner } from '../workflow-runner.ts'
import { paceStream } from 'dragoman/async'
import { ServiceError } from 'dragoman/errors'
import type { Usage } from 'dragoman/events'
import type { Workflow } from '../read-workflows.ts'
import { answerReader } from './answer-reader.ts'
import { workflowFailure, responseError } from './dify-error.ts'
import { framesOf } from './read-frames.ts'
import { idleTimeout } from './idle-timeout.ts'

/** So long we wait for Dify's first word, and between two, in ms. */
const IDLE_TIMEOUT_MS = 100_000
/** So long a stop may take, in ms. */
const STOP_MS = 5000
/** Letters of a refusal that are read, at most. */
const MAX_REFUSAL_LENGTH = 64 * 1024

export type DifyPorts = { readonly report: (error: unknown) => void; readonly idleTimeoutMs?: number }

type Tell = (news: WorkflowUpdate) => void | Promise<void>

/** Runs workflows and chat apps of Dify, whose answers stream. */
export function difyRunner(
  configured: readonly Workflow[],
  { report, idleTimeoutMs = IDLE_TIMEOUT_MS }: DifyPorts,
): WorkflowRunner {
  return {
    name: 'dify',
    workflows: configured.map(({ id, description }) => ({ id, description })),
    async run(request, tell) {
      const workflow = configured.find(({ id }) => id === request.workflowId)
      if (!workflow) throw new ServiceError('not-found', `There is no workflow ${request.workflowId}.`)
      return attempt(workflow, request, { tell, report, idleTimeoutMs })
    },
  }
}

type Attempt = Required<DifyPorts> & { readonly tell: Tell }

async function attempt(
  workflow: Workflow,
  request: WorkflowRequest,
  { tell, report, idleTimeoutMs }: Attempt,
): Promise<Usage | undefined> {
  const { signal } = request
  const idle = idleTimeout(idleTimeoutMs, signal)
  let task: string | undefined
  try {
    const body = await idle.within(() => begin(workflow, request, idle.signal))
    const answer = answerReader(tell)
    for await (const frame of framesOf(idle.pieces(body))) {
      task ??= frame.task_id
      const end = await answer.take(frame)
      if (end) return end.usage
    }
    throw workflowFailure('The workflow’s answer ended before the workflow did.')
  } catch (error) {
    if (signal.aborted) return undefined
    if (idle.isOver)
      throw new ServiceError('timed-out', 'The workflow was silent for too long.', { cause: error })
    throw error instanceof ServiceError ? error : workflowFailure('The workflow cannot be reached.', error)
  } finally {
    idle.end()
    if (task !== undefined && (signal.aborted || idle.isOver))
      void stop(workflow, request, task).catch(report)
  }
}

/** @throws ServiceError where Dify says no */
async function begin(
  workflow: Workflow,
  request: WorkflowRequest,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  const { app } = workflow
  const response = await post(workflow, app === 'chat' ? '/chat-messages' : '/workflows/run', {
    signal,
    body: {
      inputs: request.inputs,
      ...(app === 'chat' && { query: request.words }),
      response_mode: 'streaming',
      user: userOf(request),
    },
  })
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
  if (response.ok && isStream && response.body) return paceStream(response.body)
  throw responseError(response.status, await readStart(response), workflow.key)
}

/** Reads the start of a response that is not a stream. It may be endless. */
async function readStart({ body }: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const piece of body ?? []) {
    text += decoder.decode(piece, { stream: true })
    if (text.length > MAX_REFUSAL_LENGTH) break
  }
  return text
}

async function stop(workflow: Workflow, request: WorkflowRequest, task: string): Promise<void> {
  const path = workflow.app === 'chat' ? '/chat-messages' : '/workflows/tasks'
  const response = await post(workflow, `${path}/${encodeURIComponent(task)}/stop`, {
    signal: AbortSignal.timeout(STOP_MS),
    body: { user: userOf(request) },
  })
  await response.body?.cancel()
}

/** No redirect is followed: the key and the inputs are for this address. */
function post(
  { baseUrl, key }: Workflow,
  path: string,
  { body, signal }: { body: object; signal: AbortSignal },
): Promise<Response> {
  return fetch(`${baseUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    redirect: 'error',
    signal,
  })
}

/** By which Dify knows one user's runs as such, and not who that is. */
function userOf({ userId }: WorkflowRequest): string {
  return `dragoman-${createHash('sha256').update(`dify/${userId}`).digest('hex').slice(0, 16)}`
}
