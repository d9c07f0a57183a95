import { HttpAgent } from '@ag-ui/client'
import { HttpAgent as OlderAgent } from 'ag-ui-client-0-0-59'
import * as ai from 'ai'

import { agentAnswers, agentEvents, envelopeAnswers, envelopes } from '../agents/coding/src/client/index.ts'
import type { LogEntry } from '../packages/dragoman/src/events/index.ts'
import { openChat } from '../test/clients/sdk-chat.ts'
import { openV4, v4User } from '../test/clients/sdk-v4.ts'
import { contentOfAgUi, contentOfUseAi, type AgUiMessage } from '../test/laws/ag-ui-content.ts'
import {
  endOf,
  folded,
  contentOfChat,
  contentOfFold,
  contentOfV4,
  type MessageContent,
} from '../test/laws/message-content.ts'
import { saidByEve } from '../agents/jobs/test/laws/eve-reader.ts'
import { contentOfAnswer, contentOfEnvelopes } from '../agents/coding/test/laws/answer-content.ts'
import { saidByVibeLife } from '../agents/life/test/laws/said-vibelife.ts'
import { framesOf } from '../test/support/event-stream.ts'
import { isRunEnd, runAgent, socketClient } from '../test/support/socket-client.ts'

/** What is left of an answer once it does not matter who has read it. */
export type Reading = {
  readonly text: string
  readonly reasoning: string
  readonly calls: readonly MessageContent['calls'][string][]
  /** `stopped`, `failed: …`, or why it finished. */
  readonly end: string
}

export type Network = (url: string | URL | Request, init?: RequestInit) => Promise<Response>

/**
 * Sends the question to the server's jobs agent, in the thread `name`, and reads the answer to the end. A reader that
 * does not use `network` calls `hears` itself.
 */
type Reader = (url: string, name: string, network: Network, hears: OnText) => Promise<Reading>
/** Is told what comes, as it comes. */
export type OnText = (said: string) => Promise<void>

const QUESTION = 'How is the weather?'

/** For each protocol one who reads it as its clients do. */
export const readers: Readonly<Record<string, Reader>> = {
  /** By the `ai` package's own chat. */
  async 'ui-message-stream'(url, id, network) {
    const chat = openChat(ai, { url, id, fetch: network })
    await chat.sendMessage({ text: QUESTION })
    const message = chat.messages.at(-1)
    if (message?.role !== 'assistant') throw new Error(`The chat has no answer: ${chat.error?.message}`)
    const ids = message.parts.flatMap((part) => ('toolCallId' in part ? [part.toolCallId] : []))
    const { stopped, finishReason } = message.metadata ?? {}
    return reading(
      contentOfChat(message, new Set(ids)),
      chat.error?.message,
      stopped ? 'stopped' : finishReason,
    )
  },

  /** By the client of AI SDK 4.3.19. */
  async 'data-stream'(url, id, network) {
    const chat = openV4({ api: `${url}/jobs/chat`, fetch: network })
    const { message, error, end } = await chat.send(id, [v4User(QUESTION)])
    if (!message) throw new Error(`The chat has no answer: ${error}`)
    const ids = (message.toolInvocations ?? []).map(({ toolCallId }) => toolCallId)
    const isStopped = JSON.stringify(message.annotations).includes('"stopped":true')
    return reading(contentOfV4(message, new Set(ids)), error, isStopped ? 'stopped' : end?.finishReason)
  },

  /** By its frames. They have no word for a stop. */
  async eve(url, conversationId, network) {
    const messages = [{ role: 'user', content: QUESTION }]
    const frames = await framesFrom(network, `${url}/jobs/chat`, { messages, options: { conversationId } })
    const field = (type: string, name: string): string | undefined =>
      frames.find((frame) => frame['type'] === type)?.[name] as string | undefined
    const reply = saidByEve(frames.map((frame) => JSON.stringify(frame)))
    return reading(reply, field('error', 'error'), field('finish', 'finishReason'))
  },

  /** By its frames. They have no word for a stop, either. */
  async vibelife(url, conversation_id, network) {
    const body = { message: QUESTION, conversation_id }
    const frames = await framesFrom(network, `${url}/jobs/chat?protocol=vibelife`, body)
    const field = (type: string, name: string): string | undefined =>
      frames.find((frame) => frame['type'] === type)?.[name] as string | undefined
    const reply = saidByVibeLife(frames.map((frame) => JSON.stringify(frame)))
    return reading(reply, field('error', 'error'), field('finish', 'finishReason'))
  },

  /** By our own fold of the log's entries. */
  async native(url, name, network) {
    await post(`${url}/v1/threads`, { name, agent: 'jobs' })
    const frames = await framesFrom(network, `${url}/v1/threads/${name}/runs`, { message: QUESTION })
    const log = frames.map(({ seq, at, ...event }) => ({ seq, at, event }) as LogEntry)
    const end = endOf(log)
    const error = end?.type === 'run.failed' ? end.failure.message : undefined
    return reading(contentOfFold(folded(log)), error, end?.type === 'run.finished' ? end.reason : 'stopped')
  },

  /** By our own client, of a run that was asked for in native. */
  async 'agent-events'(url, name, network) {
    await post(`${url}/v1/threads`, { name, agent: 'jobs' })
    const startResponse = await fetch(`${url}/v1/threads/${name}/runs`, asJson({ message: QUESTION }))
    await startResponse.body?.cancel()
    const run = `${url}/v1/runs/${startResponse.headers.get('x-run-id')}/events?protocol=agent-events`
    const answers = await Array.fromAsync(agentAnswers(agentEvents(await network(run))))
    const answer = answers.at(-1)
    if (!answer) throw new Error('There is no answer.')
    return reading(contentOfAnswer(answer), answer.error?.message, answer.stopped ? 'stopped' : 'stop')
  },

  'envelope, in increments': (url, name, network) =>
    byEnvelopes(url, name, { network, responseMode: 'incremental' }),
  'envelope, in full': (url, name, network) => byEnvelopes(url, name, { network, responseMode: 'full' }),

  /** By the client of each generation. */
  'ag-ui, 1.0.0': (url, threadId, network) =>
    byAgUi((where, fetch) => new HttpAgent({ url: where, threadId, fetch }), url, network),
  'ag-ui, 0.0.59': (url, threadId, network) =>
    byAgUi((where, fetch) => new OlderAgent({ url: where, threadId, fetch }), url, network),

  /** By a socket, which sends and hears what use-ai's client does. */
  async 'ag-ui, Socket.IO'(url, threadId, _network, hears) {
    using client = socketClient(url)
    client.socket.on('event', ({ delta = '' }: { delta?: string }) => void hears(delta))
    client.send('run_agent', runAgent(threadId, 'r1', QUESTION))
    const { event } = await client.until(isRunEnd('r1'))
    return agUiReading(contentOfUseAi(client.of('r1')), event as AgUiEnd)
  },
}

type AgUiEnd = {
  readonly outcome?: { readonly type: string }
  readonly metadata?: { readonly finishReason?: string }
  readonly code?: string
  readonly message?: string
}

/** What is needed of either generation of its client. */
type AgUiAgent = {
  messages: object[]
  runAgent(parameters: object, subscriber: object): Promise<unknown>
}

async function byAgUi(
  open: (url: string, fetch: (url: string, init: RequestInit) => Promise<Response>) => AgUiAgent,
  url: string,
  network: Network,
): Promise<Reading> {
  const agent = open(`${url}/ag-ui/jobs`, network)
  agent.messages = [{ id: 'q1', role: 'user', content: QUESTION }]
  let end: AgUiEnd = {}
  const note = ({ event }: { event: AgUiEnd }): void => {
    end = event
  }
  await agent.runAgent({}, { onRunFinishedEvent: note, onRunErrorEvent: note })
  return agUiReading(contentOfAgUi(agent.messages as AgUiMessage[]), end)
}

/** By our own client. */
async function byEnvelopes(
  url: string,
  sessionId: string,
  { network, responseMode }: { network: Network; responseMode: 'incremental' | 'full' },
): Promise<Reading> {
  const body = { sessionId, message: QUESTION, responseMode, showThinking: true }
  const chatResponse = await network(`${url}/jobs/chat?protocol=envelope&ids=1`, asJson(body))
  const received = envelopes(chatResponse, { responseMode, fetch: network })
  const answer = (await Array.fromAsync(envelopeAnswers(received, responseMode))).at(-1)
  if (!answer) throw new Error('There is no answer.')
  const notice = answer.messages.find(({ type }) => type === 'error' || type === 'warning')
  const { code, message } = (notice?.value ?? { code: 'stop' }) as { code: string; message?: string }
  const end = code === 'cancelled' ? 'stopped' : code
  return reading(contentOfEnvelopes(answer), notice?.type === 'error' ? message : undefined, end)
}

function agUiReading(reply: MessageContent, { outcome, metadata, code, message }: AgUiEnd): Reading {
  if (code === 'abort' || outcome?.type === 'cancelled') return reading(reply, undefined, 'stopped')
  return reading(reply, message, metadata?.finishReason)
}

function reading({ calls, ...said }: MessageContent, error: string | undefined, end = 'no end'): Reading {
  return { ...said, calls: Object.values(calls), end: error === undefined ? end : `failed: ${error}` }
}

async function framesFrom(network: Network, url: string, body: object): Promise<Record<string, unknown>[]> {
  const response = await network(url, asJson(body))
  return framesOf(Buffer.from(await response.arrayBuffer()))
}

/** @throws where it is refused */
export async function post(url: string, body: object): Promise<void> {
  const response = await fetch(url, asJson(body))
  const responseText = await response.text()
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${responseText}`)
}

function asJson(body: object): RequestInit {
  return { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
}
