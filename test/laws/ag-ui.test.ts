import { HttpAgent } from '@ag-ui/client'
import { HttpAgent as OlderAgent } from 'ag-ui-client-0-0-59'
import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import {
  applyJsonPatch,
  textOf,
  type Json,
  type LogEntry,
  type RunEvent,
  type ToolPart,
} from '../../packages/dragoman/src/events/index.ts'
import { agUiProtocol, useAi } from '@dragoman/ag-ui/protocol'
import { anyLogs } from '../../packages/dragoman/src/protocols/arbitrary-logs.fixture.ts'
import { run, storyTools } from '../../packages/dragoman/src/protocols/stories.fixture.ts'
import { bytesOf, framesOf } from './encoded.ts'
import { RUNS } from './runs.ts'
import { endOf, folded, contentOfFold } from './message-content.ts'

/** What a client has read: its messages, the state it shares, and how the last of its runs ended. */
type Read = {
  readonly messages: readonly ToolMessage[]
  readonly state: unknown
  readonly ends: readonly End[]
}
type ToolMessage = {
  readonly id: string
  readonly role: string
  readonly content?: string
  readonly toolCallId?: string
  readonly toolCalls?: readonly {
    readonly id: string
    readonly function: { readonly name: string; readonly arguments: string }
  }[]
}
type End = { readonly type: string; readonly code?: unknown; readonly outcome?: unknown }

const clients = {
  '1.0.0': {
    view: { version: '1.0' },
    read: (log: readonly LogEntry[]) => readBy(HttpAgent, log, { version: '1.0' }),
  },
  '0.0.59': { view: {}, read: (log: readonly LogEntry[]) => readBy(OlderAgent, log, {}) },
}

let warned: unknown[]
beforeEach(() => {
  warned = []
  const note = (...words: unknown[]): void => void warned.push(...words)
  vi.spyOn(console, 'warn').mockImplementation(note)
  vi.spyOn(console, 'error').mockImplementation(note)
})
afterEach(() => vi.restoreAllMocks())

describe.each(Object.entries(clients))('the AG-UI client %s with any log', (version, { read }) => {
  it('warns of nothing and ends with the content of our fold', async () => {
    await fc.assert(
      fc.asyncProperty(anyLogs, async (log) => {
        const { messages, state, ends } = await read(log)
        const foldedMessage = folded(log)
        expect(textIn(messages)).toBe(textOf(foldedMessage) + betweenTexts(log, textIn(messages)))
        expect(reasoningIn(messages)).toBe(contentOfFold(foldedMessage).reasoning)
        expect(callsIn(messages, log)).toEqual(callsOf(log))
        expect(ids(messages)).toEqual([...new Set(ids(messages))])
        expect(JSON.stringify(state)).toBe(JSON.stringify(stateOf(log)))
        if (endOf(log)) expect(ends.at(-1)).toMatchObject(endIn(log, version))
        expect(warned).toEqual([])
      }),
      { ...RUNS, numRuns: 100 },
    )
  })
})

it('keeps the progress of a call as an activity, of clients since 1.0', async () => {
  const call = { callId: 'run_1.1', tool: 'search' }
  const events: readonly RunEvent[] = [
    { type: 'run.started', agent: 'jobs', messageId: 'msg_1', input: [] },
    { type: 'step.started', model: 'm' },
    { type: 'tool.called', ...call, input: {} },
    { type: 'tool.executing', callId: call.callId },
    { type: 'tool.progressed', callId: call.callId, delta: 'one' },
    { type: 'tool.progressed', callId: call.callId, delta: 'two', output: { done: 2 } },
    { type: 'tool.returned', callId: call.callId, text: 'Found.' },
  ]
  const log = events.map((event, index) => ({ seq: index + 1, at: 1, event }))

  const activities = async (version: keyof typeof clients) =>
    (await clients[version].read(log)).messages.filter(({ role }) => role === 'activity')

  expect(await activities('1.0.0')).toMatchObject([
    { content: { toolCallId: 'run_1.1', toolName: 'search', texts: ['one', 'two'], output: { done: 2 } } },
  ])
  expect(await activities('0.0.59')).toEqual([])
})

describe('the use-ai message of any log', () => {
  it('has the same text for a watching tab', () => {
    fc.assert(
      fc.property(anyLogs, (log) => {
        const deltas = textsOf(log, { watches: true })
        expect(deltas.join('')).toBe(textOf(folded(log)) + betweenTexts(log, deltas.join('')))
      }),
      RUNS,
    )
  })

  it('has the same text for the page, with each approval in its own message', () => {
    fc.assert(
      fc.property(anyLogs, (log) => {
        const own = textsOf(log, {})
          .join('')
          .replaceAll(/May I run this\?\n\n[^]*?\n\nPlease answer "yes" or "no"\./g, '')
        expect(own.replaceAll('\n\n', '')).toBe(textOf(folded(log)).replaceAll('\n\n', ''))
      }),
      RUNS,
    )
  })
})

function textsOf(log: readonly LogEntry[], view: { readonly watches?: true }): string[] {
  return framesOf(useAi, log, view)
    .flat()
    .map((frame) => JSON.parse(frame) as { type: string; delta: string })
    .flatMap(({ type, delta }) => (type === 'TEXT_MESSAGE_CONTENT' ? [delta] : []))
}

type Agent = new (config: { url: string; fetch: () => Promise<Response> }) => {
  readonly messages: readonly unknown[]
  readonly state: unknown
  runAgent(how: object, listener: object): Promise<unknown>
}

async function readBy(agent: Agent, log: readonly LogEntry[], view: { version?: string }): Promise<Read> {
  const headers = { 'content-type': 'text/event-stream' }
  const fetch = async (): Promise<Response> =>
    new Response(new Uint8Array(bytesOf(agUiProtocol, log, { view })), { headers })
  const client = new agent({ url: 'http://localhost', fetch })
  const ends: End[] = []
  const note = ({ event }: { event: End }): void => void ends.push(event)
  await client.runAgent({}, { onRunFinishedEvent: note, onRunErrorEvent: note })
  return { messages: client.messages as readonly ToolMessage[], state: client.state, ends }
}

function ids(messages: readonly ToolMessage[]): string[] {
  return messages.map(({ id }) => id)
}

function textIn(messages: readonly ToolMessage[]): string {
  const texts = messages.flatMap(({ id, role, content }) =>
    role === 'assistant' && id.startsWith(run.messageId) && content ? [content] : [],
  )
  return texts.join('\n\n')
}

/** A text that is not the first begins with what parts it from the one before: that may be all that has come of it. */
function betweenTexts(log: readonly LogEntry[], text: string): string {
  const words = log.filter(({ event }) => event.type === 'text.started' || event.type === 'text.delta')
  return words.at(-1)?.event.type === 'text.started' && text.endsWith('\n\n') ? '\n\n' : ''
}

function reasoningIn(messages: readonly ToolMessage[]): string {
  const own = messages.filter(({ id, role }) => role === 'reasoning' && id.startsWith(run.messageId))
  return own.map(({ content }) => content).join('')
}

type Call = { readonly tool: string; readonly input: string; readonly words: string | undefined }

function callsIn(messages: readonly ToolMessage[], log: readonly LogEntry[]): Record<string, Call> {
  const results = new Map(messages.map(({ toolCallId, content }) => [toolCallId, content]))
  const complete = new Set(Object.keys(contentOfFold(folded(log)).calls))
  const calls = messages.flatMap(({ toolCalls = [] }) => toolCalls).filter(({ id }) => complete.has(id))
  return Object.fromEntries(
    calls.map(({ id, function: { name, arguments: input } }) => [
      id,
      { tool: name, input, words: results.get(id) },
    ]),
  )
}

/** But for those of the page's that nobody has allowed yet: the client does not hear of them. */
function callsOf(log: readonly LogEntry[]): Record<string, Call> {
  const parts = folded(log).parts.filter((part): part is ToolPart => part.type === 'tool')
  return Object.fromEntries(
    parts.flatMap((part) => {
      const { callId, tool, input, inputText } = part
      const own = storyTools.find(({ name }) => name === tool)
      if (input === undefined || (own?.confirm && part.question?.kind !== 'output')) return []
      const words = part.state === 'failed' ? part.failure?.message : part.text
      const isTheirs = part.question?.kind === 'output' && part.answer && part.answer.kind !== 'approval'
      // What waits for a yes is told whole after it.
      const argumentsText = inputText === '' || own?.confirm ? JSON.stringify(input) : inputText
      return [[callId, { tool, input: argumentsText, words: isTheirs ? undefined : words }] as const]
    }),
  )
}

function stateOf(log: readonly LogEntry[]): Json {
  return log.reduce<Json>(
    (state, { event }) => (event.type === 'state.changed' ? applyJsonPatch(state, event.patch) : state),
    {},
  )
}

function endIn(log: readonly LogEntry[], version: string): End {
  const end = endOf(log)
  if (end?.type === 'run.failed') return { type: 'RUN_ERROR', code: end.failure.code }
  if (end?.type !== 'run.cancelled') return { type: 'RUN_FINISHED' }
  if (version === '1.0.0') return { type: 'RUN_FINISHED', outcome: { type: 'cancelled' } }
  return { type: 'RUN_ERROR', code: 'abort' }
}
