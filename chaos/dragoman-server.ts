import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import * as ai from 'ai'

import { isJsonObject, parseJson } from '../packages/dragoman/src/events/index.ts'
import { ServiceError, type LogEntry } from '../packages/dragoman/src/index.ts'
import { openChat } from '../test/clients/sdk-chat.ts'
import { openV4, v4User } from '../test/clients/sdk-v4.ts'
import { saidByEve } from '../agents/jobs/test/laws/eve-reader.ts'
import { folded, saidByChat, saidByFold, saidByV4 } from '../test/laws/message-content.ts'
import { agUiBody, saidInAgUi } from './ag-ui-client.ts'
import { createServerNode } from './server-node.ts'
import type { WireFormat, Frame, Message, ServerUnderTest } from './server-under-test.ts'
import { BROKEN } from './story.ts'
import { EFFECTS_FILE, type ToolEffect } from './tool-effect.ts'

/** This repository's server, by its public API and over HTTP. */
export const dragomanServer: ServerUnderTest = {
  agents: ['pi', 'default'],
  own: 'native',
  wireFormats: {
    'ui-message-stream': {
      ...events(true),
      async said(body, complete) {
        const chat = openChat(ai, { url: 'http://localhost', id: 'chat', fetch: async () => sse(body) })
        await chat.sendMessage({ text: 'Go.' })
        const message = chat.messages.at(-1)
        return saidByChat(
          message?.role === 'assistant' ? message : { id: '', role: 'assistant', parts: [] },
          complete,
        )
      },
    },
    'data-stream': {
      cursors: false,
      keyed: false,
      frames: linesOf,
      async said(body, complete) {
        const chat = openV4({ api: 'http://localhost', fetch: async () => new Response(body) })
        const { message } = await chat.send('chat', [v4User('Go.')])
        return saidByV4(message ?? { role: 'assistant', content: '', parts: [] }, complete)
      },
    },
    eve: {
      ...events(false),
      said: async (body) => saidByEve(framesOf(body).map(dataOf)),
    },
    'ag-ui': { ...events(true), said: saidInAgUi },
    native: {
      ...events(false),
      said: async (body) => saidByFold(folded(framesOf(body).map(entryOf))),
    },
  },

  nodes: (home, count, onError) =>
    Array.from({ length: count }, (_, at) =>
      createServerNode({
        name: `node ${at + 1}`,
        script: join(import.meta.dirname, 'child.ts'),
        args: (port) => ['--port', String(port), '--home', home, '--log-level', 'info', '--rate-limit', '0'],
        logFile: join(home, `node-${at + 1}.log`),
        onLine: (line) => {
          const kind = kindOf(line)
          if (kind !== undefined) onError(`node ${at + 1}: ${line}`, kind)
        },
      }),
    ),

  async say(at, message) {
    const { thread, agent, protocol, words, key, policy } = message
    const named: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key }
    if (protocol === 'ag-ui' && policy === undefined)
      return requireOk(post(`${at}/ag-ui/${agent}`, agUiBody(message)))
    // AG-UI cannot express a thread policy.
    if (protocol === 'native' || protocol === 'ag-ui') {
      await readAnswer(post(`${at}/v1/threads`, { name: thread, agent }))
      const body = { message: words, ...(policy && { policy }) }
      return requireOk(
        post(`${at}/v1/threads/${thread}/runs?protocol=${protocol}&protocolVersion=1.0`, body, named),
      )
    }
    return requireOk(post(`${at}/${agent}/chat?protocol=${protocol}&ids=1`, bodyOf(message), named))
  },

  runOf: (response) => response.headers.get('x-run-id') ?? '',
  find,

  follow: (at, runId, { protocol, after }) =>
    requireOk(
      fetch(`${at}/v1/runs/${runId}/events?protocol=${protocol}&ids=1&protocolVersion=1.0`, {
        headers: after === undefined ? {} : { 'last-event-id': after },
      }),
    ),

  async answer(at, runId, { callId, approved, protocol }) {
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
  },

  async stop(at, runId) {
    await readAnswer(post(`${at}/v1/runs/${runId}/stop`, {}))
  },

  async statusOf(at, runId) {
    const { run } = (await readAnswer(fetch(`${at}/v1/runs/${runId}`))) as { run: { status: string } }
    if (run.status === 'waiting') return 'waiting'
    return run.status === 'running' || run.status === 'queued' ? 'live' : 'ended'
  },

  entryOf,

  async effects(home) {
    const lines = await readFile(join(home, EFFECTS_FILE), 'utf8').catch(() => '')
    return lines.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as ToolEffect]))
  },
}

function events(keyed: boolean): Pick<WireFormat, 'cursors' | 'keyed' | 'frames'> {
  return { cursors: true, keyed, frames: framesOf }
}

/** The body as clients of that protocol send it. */
function bodyOf({ name, thread, protocol, words, policy }: Message): object {
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
async function find(at: string, { thread, words }: Message): Promise<string | undefined> {
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
  // 408: it was frozen while it read the request.
  const code = response.status === 503 || response.status === 408 ? 'unavailable' : 'internal'
  throw new ServiceError(code, `${response.url} answered ${response.status}: ${reply}`)
}

async function readAnswer(asking: Response | Promise<Response>): Promise<unknown> {
  return (await requireOk(asking)).json()
}

/** The complete events of a body, without heartbeats. */
function framesOf(bytes: Buffer): Frame[] {
  return splitFrames(bytes, '\n\n')
    .filter(({ text }) => !text.startsWith(':') && text !== 'data: {"type":"ping"}\n\n')
    .map(({ text, end }) => ({ text, end, cursor: /^id: (.*)$/m.exec(text)?.[1] }))
}

function linesOf(bytes: Buffer): Frame[] {
  return splitFrames(bytes, '\n').filter(({ text }) => text !== '\n')
}

/** The texts up to each mark, including it. */
function splitFrames(bytes: Buffer, mark: string): Frame[] {
  const frames: Frame[] = []
  let begin = 0
  for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, begin)) {
    const end = at + mark.length
    frames.push({ text: bytes.toString('utf8', begin, end), end, cursor: undefined })
    begin = end
  }
  return frames
}

function dataOf({ text }: Frame): string {
  return /^data: (.*)$/m.exec(text)?.[1] ?? ''
}

function entryOf(frame: Frame): LogEntry {
  const { seq, at, ...event } = JSON.parse(dataOf(frame)) as { seq: number; at: number }
  return { seq, at, event } as LogEntry
}

/** A story's own model error is logged as expected. A process that wakes from a freeze finds its runs taken. */
function kindOf(line: string): 'freeze' | 'error' | undefined {
  const value = parseJson(line)
  if (!isJsonObject(value) || typeof value['level'] !== 'number') return 'error'
  if (value['level'] < 50 || line.includes(BROKEN)) return undefined
  return /database is locked|"code":"(fenced|run-closed)"/.test(line) ? 'freeze' : 'error'
}

/** A response as clients of the AI SDK get it. */
function sse(body: Buffer): Response {
  return new Response(new Uint8Array(body), { headers: { 'content-type': 'text/event-stream' } })
}
