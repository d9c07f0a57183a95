import { createHash } from 'node:crypto'

import type { WorkflowAsked, WorkflowNews, WorkflowRunner } from '../workflow-runner.ts'
import { ServiceError } from 'dragoman/errors'
import type { Usage } from 'dragoman/events'
import type { Workflow } from '../read-workflows.ts'
import { answering } from './read-answer.ts'
import { failed, refused } from './dify-error.ts'
import { framesOf } from './read-frames.ts'
import { patient } from './idle-timeout.ts'

/** So long we wait for Dify's first word, and between two, in ms. */
const PATIENCE_MS = 100_000
/** So long a stop may take, in ms. */
const STOP_MS = 5000
/** Letters of a refusal that are read, at most. */
const MOST_REFUSED = 64 * 1024

export type DifyPorts = { readonly report: (error: unknown) => void; readonly patienceMs?: number }

type Tell = (news: WorkflowNews) => void | Promise<void>

/** Runs workflows and chat apps of Dify, whose answers stream. */
export function difyRunner(
  configured: readonly Workflow[],
  { report, patienceMs = PATIENCE_MS }: DifyPorts,
): WorkflowRunner {
  return {
    name: 'dify',
    workflows: configured.map(({ id, description }) => ({ id, description })),
    async run(asked, tell) {
      const workflow = configured.find(({ id }) => id === asked.workflowId)
      if (!workflow) throw new ServiceError('not-found', `There is no workflow ${asked.workflowId}.`)
      return attempt(workflow, asked, { tell, report, patienceMs })
    },
  }
}

type Attempt = Required<DifyPorts> & { readonly tell: Tell }

async function attempt(
  workflow: Workflow,
  asked: WorkflowAsked,
  { tell, report, patienceMs }: Attempt,
): Promise<Usage | undefined> {
  const { signal } = asked
  const waiting = patient(patienceMs, signal)
  let task: string | undefined
  try {
    const body = await waiting.within(() => begin(workflow, asked, waiting.signal))
    const answer = answering(tell)
    for await (const frame of framesOf(waiting.pieces(body))) {
      task ??= frame.task_id
      const end = await answer.take(frame)
      if (end) return end.usage
    }
    throw failed('The workflow’s answer ended before the workflow did.')
  } catch (error) {
    if (signal.aborted) return undefined
    if (waiting.isOver)
      throw new ServiceError('timed-out', 'The workflow was silent for too long.', { cause: error })
    throw error instanceof ServiceError ? error : failed('The workflow cannot be reached.', error)
  } finally {
    waiting.end()
    if (task !== undefined && (signal.aborted || waiting.isOver))
      void stop(workflow, asked, task).catch(report)
  }
}

/** @throws ServiceError where Dify says no */
async function begin(
  workflow: Workflow,
  asked: WorkflowAsked,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  const { app } = workflow
  const response = await post(workflow, app === 'chat' ? '/chat-messages' : '/workflows/run', {
    signal,
    body: {
      inputs: asked.inputs,
      ...(app === 'chat' && { query: asked.words }),
      response_mode: 'streaming',
      user: userOf(asked),
    },
  })
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
  if (response.ok && isStream && response.body) return response.body
  throw refused(response.status, await startOf(response), workflow.key)
}

/** Of what is no stream of Dify's, whoever says it: it may be without end. */
async function startOf({ body }: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const piece of body ?? []) {
    text += decoder.decode(piece, { stream: true })
    if (text.length > MOST_REFUSED) break
  }
  return text
}

async function stop(workflow: Workflow, asked: WorkflowAsked, task: string): Promise<void> {
  const path = workflow.app === 'chat' ? '/chat-messages' : '/workflows/tasks'
  const response = await post(workflow, `${path}/${encodeURIComponent(task)}/stop`, {
    signal: AbortSignal.timeout(STOP_MS),
    body: { user: userOf(asked) },
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
function userOf({ userId }: WorkflowAsked): string {
  return `dragoman-${createHash('sha256').update(`dify/${userId}`).digest('hex').slice(0, 16)}`
}
