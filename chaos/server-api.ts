import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { isJsonObject, parseJson } from '../packages/dragoman/src/events/index.ts'
import { ServiceError } from '../packages/dragoman/src/index.ts'
import { createServerNode, type ServerNode } from './server-node.ts'
import type { AnswerPlan, Policy } from './plan.ts'
import { BROKEN } from './story.ts'
import { EFFECTS_FILE, type ToolEffect } from './story-tools.ts'

/** The tested server, by its public API over HTTP. `at` is a node's address. */

/** A user's message. `agent` and `protocol` are the server's names; `thread` and `name` (unique) are the client's. */
export type Message = {
  readonly name: string
  readonly thread: string
  readonly agent: string
  readonly protocol: string
  readonly words: string
  /** The idempotency key. */
  readonly key?: string | undefined
  /** What happens to a live run in the thread. Undefined if none is expected. */
  readonly policy?: Policy | undefined
}

const FLAGS = ['--log-level', 'info', '--rate-limit', '0']

export type NodesOptions = {
  readonly count: number
  readonly databaseUrls: readonly string[]
  /** What a node gives its runs at SIGTERM. */
  readonly drainSeconds: number
}

/**
 * Creates nodes on one home, not started, each with the URL of its database if there is one. `onError` gets unexpected
 * log lines; `strike` marks those that a long freeze or a database that is away explains.
 */
export function createNodes(
  home: string,
  { count, databaseUrls, drainSeconds }: NodesOptions,
  onError: (line: string, kind: 'strike' | 'error') => void,
): readonly ServerNode[] {
  return Array.from({ length: count }, (_, at) =>
    createServerNode({
      env: { DATABASE_URL: databaseUrls[at] ?? '' },
      name: `node ${at + 1}`,
      script: join(import.meta.dirname, 'child.ts'),
      args: (port) => [
        '--port',
        String(port),
        '--home',
        home,
        '--drain-seconds',
        String(drainSeconds),
        ...FLAGS,
      ],
      logFile: join(home, `node-${at + 1}.log`),
      onLine: (line) => {
        const kind = kindOf(line)
        if (kind !== undefined) onError(`node ${at + 1}: ${line}`, kind)
      },
    }),
  )
}

/** Sends a message to a thread, which is created if it does not exist. The response streams. */
export async function sendMessage(at: string, message: Message): Promise<Response> {
  const { thread, agent, protocol, words, key, policy } = message
  const named: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key }
  if (protocol === 'ag-ui' && policy === undefined)
    return requireOk(post(`${at}/ag-ui/${agent}`, bodyOf(message)))
  // AG-UI cannot express a thread policy.
  if (protocol === 'native' || protocol === 'ag-ui') {
    await readAnswer(post(`${at}/v1/threads`, { name: thread, agent }))
    const body = { message: words, ...(policy && { policy }) }
    return requireOk(
      post(`${at}/v1/threads/${thread}/runs?protocol=${protocol}&protocolVersion=1.0`, body, named),
    )
  }
  return requireOk(post(`${at}/${agent}/chat?protocol=${protocol}&ids=1`, bodyOf(message), named))
}

/** The body as clients of that protocol send it. */
function bodyOf({ name, thread, protocol, words, policy }: Message): object {
  if (protocol === 'ag-ui') {
    // The same name is the same run.
    const messages = [{ id: name, role: 'user', content: words }]
    return { threadId: thread, runId: name, messages, tools: [], context: [], protocolVersion: '1.0' }
  }
  const parts = [{ type: 'text', text: words }]
  const meets = policy === undefined ? {} : { policy }
  if (protocol === 'eve')
    return { ...meets, messages: [{ role: 'user', content: words }], options: { conversationId: thread } }
  if (protocol === 'data-stream')
    return { ...meets, id: thread, messages: [{ role: 'user', content: words, parts }] }
  return { ...meets, id: thread, trigger: 'submit-message', messages: [{ id: name, role: 'user', parts }] }
}

type ThreadBody = {
  readonly id: string
  readonly role: string
  readonly parts: readonly { readonly text?: string }[]
}

/** Finds the run by its thread: if the last user message is this one, its run is live or wrote the answer after it. */
export async function findRun(at: string, { thread, words }: Message): Promise<string | undefined> {
  const path = `${at}/v1/threads/${thread}`
  const opened = await fetch(path)
  if (opened.status === 404) return undefined
  const { live } = (await readAnswer(opened)) as { live: { id: string } | null }
  const { messages } = (await readAnswer(fetch(`${path}/messages`))) as { messages: readonly ThreadBody[] }
  const questionIndex = messages.findLastIndex(({ role }) => role === 'user')
  if (messages[questionIndex]?.parts[0]?.text !== words) return undefined
  if (live) return live.id
  const answer = messages[questionIndex + 1]
  if (!answer)
    throw new ServiceError('internal', `In thread ${thread} a message was taken and has no answer.`)
  const { run } = (await readAnswer(fetch(`${at}/v1/runs/${answer.id}`))) as { run: { id: string } }
  return run.id
}

export function followRun(
  at: string,
  runId: string,
  { protocol, after }: { protocol: string; after?: string | undefined },
): Promise<Response> {
  return requireOk(
    fetch(`${at}/v1/runs/${runId}/events?protocol=${protocol}&ids=1&protocolVersion=1.0`, {
      headers: after === undefined ? {} : { 'last-event-id': after },
    }),
  )
}

/** Answers an approval. Returns whether the answer was accepted, if the protocol shows it. */
export async function answerCall(
  at: string,
  runId: string,
  { callId, approved, protocol }: AnswerPlan & { callId: string },
): Promise<boolean | undefined> {
  if (protocol === 'native') {
    const answer = { kind: 'approval', approved }
    const response = await post(`${at}/v1/runs/${runId}/answers`, { callId, answer })
    if (response.status !== 409 && response.status !== 404) await requireOk(response)
    return response.ok
  }
  // As chats without approvals do: by a tool's output.
  const { run } = (await readAnswer(fetch(`${at}/v1/runs/${runId}`))) as {
    run: { agent: string; messageId: string }
  }
  const part = { type: 'tool-ask', toolCallId: callId, state: 'output-available', output: { approved } }
  const messages = [{ id: run.messageId, role: 'assistant', parts: [part] }]
  const response = await requireOk(post(`${at}/${run.agent}/chat?protocol=ui-message-stream`, { messages }))
  await response.body?.cancel()
  return undefined
}

/** Stops a run. It may be repeated. */
export async function stopRun(at: string, runId: string): Promise<void> {
  await readAnswer(post(`${at}/v1/runs/${runId}/stop`, {}))
}

/** Whether the run is over. */
export async function hasEnded(at: string, runId: string): Promise<boolean> {
  const { run } = (await readAnswer(fetch(`${at}/v1/runs/${runId}`))) as { run: { status: string } }
  return !['queued', 'running', 'waiting'].includes(run.status)
}

/** The effects of the tools. */
export async function readEffects(home: string): Promise<readonly ToolEffect[]> {
  const lines = await readFile(join(home, EFFECTS_FILE), 'utf8').catch(() => '')
  return lines.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as ToolEffect]))
}

function post(url: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
}

/** @throws ServiceError if the server refuses */
async function requireOk(asking: Response | Promise<Response>): Promise<Response> {
  const response = await asking
  if (response.ok) return response
  const reply = await response.text()
  // 408: it was frozen while it read the request. 502, 504: a proxy has lost it.
  const code = [408, 502, 503, 504].includes(response.status) ? 'unavailable' : 'internal'
  throw new ServiceError(code, `${response.url} answered ${response.status}: ${reply}`)
}

async function readAnswer(asking: Response | Promise<Response>): Promise<unknown> {
  return (await requireOk(asking)).json()
}

/** A story's own model error is logged as expected. A process that wakes from a freeze finds its runs taken. */
function kindOf(line: string): 'strike' | 'error' | undefined {
  const value = parseJson(line)
  if (!isJsonObject(value) || typeof value['level'] !== 'number') return 'error'
  if (value['level'] < 50 || line.includes(BROKEN)) return undefined
  const isExpected =
    /database is locked|"code":"(fenced|run-closed)"|"msg":"(unavailable|refused|database away)"/.test(line)
  return isExpected ? 'strike' : 'error'
}
