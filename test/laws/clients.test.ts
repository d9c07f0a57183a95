import * as fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'

import {
  pausesAfter,
  toToolInvocations,
  waitingCalls,
  type AssistantMessage,
  type LogEntry,
  type RunEvent,
  type ToolPart,
} from '../../packages/dragoman/src/events/index.ts'
import { dataStream, native, uiMessageStream } from '../../packages/dragoman/src/protocols/index.ts'
import { anyLogs } from '../../packages/dragoman/src/protocols/arbitrary-logs.fixture.ts'
import { run } from '../../packages/dragoman/src/protocols/stories.fixture.ts'
import { builds, openChat, type ChatMessage, type Sdk } from '../clients/sdk-chat.ts'
import { openV4, v4User, type V4Message } from '../clients/sdk-v4.ts'
import { bytesOf, framesOf } from './encoded.ts'
import { RUNS } from './runs.ts'
import {
  asObject,
  cardsByChat,
  cardsByFold,
  cardsByV4,
  endOf,
  folded,
  openIn,
  questionsIn,
  contentOfChat,
  contentOfFold,
  contentOfV4,
  v4InputReader,
  statesIn,
  without,
  withoutPrototypes,
} from './message-content.ts'
import { asReturned } from './output-text.ts'

const overNetwork = fc.tuple(anyLogs, fc.infiniteStream(fc.integer({ min: 1, max: 900 })))

/** Each client as any other, and as what it may say that it is. */
const readers = Object.entries(builds).flatMap(([build, load]) => {
  const own = `v${build[0]}`
  return (own === 'v5' ? [own] : ['v5', own, undefined]).map((profile) => ({ build, profile, load }))
})

describe.each(readers)('the AI SDK client $build as $profile with any log', ({ profile, load }) => {
  let sdk: Sdk
  beforeAll(async () => {
    sdk = await load()
  })
  const view = profile === undefined ? {} : { profile }

  it('ends with the content of our fold', async () => {
    await fc.assert(
      fc.asyncProperty(overNetwork, async ([log, sizes]) => {
        const answer = async (): Promise<Response> => inPieces(bytesOf(uiMessageStream, log, { view }), sizes)
        const chat = openChat(sdk, { url: 'http://localhost', id: 'chat', fetch: answer })
        await chat.sendMessage({ text: 'Go.' })

        const message = chat.messages.at(-1) as ChatMessage
        const expectedMessage = asReturned(folded(log), withoutPrototypes)
        const expected = contentOfFold(
          profile === 'v5' ? expectedMessage : withoutNoes(expectedMessage),
          withoutPrototypes,
        )
        expect(contentOfChat(message, completeIn(log))).toEqual(expected)
        expect(cardsByChat(message)).toEqual(cardsByFold(folded(log), withoutPrototypes))
        expect([message.id, chat.error?.message]).toEqual(['msg_story', errorOf(log)])
        expect(message.metadata).toMatchObject(metadataOf(log))
        await expectEnd(sdk, message, { log, view })
      }),
      RUNS,
    )
  })
})

/** An ended message has no open part, equals its reload, asks no question, and converts to model messages. */
async function expectEnd(
  sdk: Sdk,
  message: ChatMessage,
  { log, view }: { log: readonly LogEntry[]; view: { profile?: string } },
): Promise<void> {
  const again = uiMessageStream.whole(run, view, folded(log)) as unknown as ChatMessage
  expect(questionsIn(message.parts)).toEqual(withoutPrototypes(questionsIn(again.parts)))
  if (!endOf(log)) return
  expect(openIn(message)).toEqual([])
  expect(statesIn(message)).toEqual(statesIn(again))
  expect(stepsIn(message)).toBe(stepsIn(again))
  expect(sdk.lastAssistantMessageIsCompleteWithToolCalls({ messages: [message] })).toBe(false)
  for (const each of [message, again]) {
    const modelMessages = JSON.stringify(await sdk.convertToModelMessages([each]))
    for (const callId of Object.keys(statesIn(each)))
      expect(modelMessages).toContain(`"tool-result","toolCallId":"${callId}"`)
  }
}

describe('any log', () => {
  it('has the content of our fold in the AI SDK client 4.3.19', async () => {
    await fc.assert(
      fc.asyncProperty(overNetwork, async ([log, sizes]) => {
        const answer = async (): Promise<Response> => inPieces(bytesOf(dataStream, log), sizes)
        const chat = openV4({ api: 'http://localhost', fetch: answer })
        const { message, data, error, end: told } = await chat.send('chat', [v4User('Go.')])

        const end = endOf(log)
        expect([message?.id, error]).toEqual(['msg_story', errorOf(log)])
        if (!message) return
        const again = dataStream.whole(run, {}, folded(log)) as unknown as V4Message
        expect(questionsIn(message.annotations ?? [])).toEqual(questionsIn(again.annotations ?? []))
        expect(contentOfV4(message, completeIn(log))).toEqual(
          contentOfFold(asReturned(folded(log)), v4InputReader(log)),
        )
        expect(cardsByV4(message)).toEqual(cardsByFold(folded(log), (value) => value))
        expect(data).toHaveLength(log.filter(({ event }) => isPassing(event)).length)
        expect(JSON.stringify(message.annotations).includes('"stopped":true')).toBe(
          end?.type === 'run.cancelled',
        )
        // Where no step came, the client was told of one to name the message.
        if (end) expect(stepsIn(message)).toBe(Math.max(1, stepsIn(again)))
        if (!end || end.type === 'run.failed') return
        const { inputTokens, outputTokens } = end.usage
        expect(told?.usage.totalTokens).toBe(inputTokens + outputTokens)
        expect((message.toolInvocations ?? []).filter(({ state }) => state !== 'result')).toEqual([])
      }),
      RUNS,
    )
  })

  it('has the same content in every history format', () => {
    fc.assert(
      fc.property(anyLogs, (log) => {
        const message = folded(log)
        const answered = new Set(
          callsOf(message).flatMap(({ state, callId }) => (state === 'answered' ? [callId] : [])),
        )
        const ui = uiMessageStream.whole(run, { profile: 'v5' }, message) as unknown as ChatMessage
        const v4 = dataStream.whole(run, {}, message) as unknown as V4Message
        const withoutAnswers = asReturned(without(message, answered))
        // A call that is answered and not settled is told as the client has it that answered.
        const calls = new Set([...completeIn(log)].filter((callId) => !answered.has(callId)))
        // As its stream.
        expect(contentOfChat(ui, calls)).toEqual(
          contentOfFold(asReturned(without(message, answered), withoutPrototypes), withoutPrototypes),
        )
        expect(cardsByChat(ui)).toEqual(cardsByFold(message, withoutPrototypes))
        expect(contentOfV4({ ...v4, reasoning: thoughtIn(v4) }, calls)).toEqual(
          contentOfFold(withoutAnswers, asObject),
        )
        expect(withoutPrototypes(questionsIn(v4.annotations ?? []))).toEqual(questionsIn(ui.parts))
        const called = toToolInvocations(message).map(({ args }) => args)
        expect(called).toEqual(Object.values(contentOfFold(message).calls).map(({ input }) => input))
        expect(cardsByV4(v4)).toEqual(cardsByFold(message, (value) => value))
      }),
      RUNS,
    )
  })

  it('folds from native frames to our own fold, without private data', () => {
    fc.assert(
      fc.property(anyLogs, (log) => {
        const frames = framesOf(native, log).flat()
        const read = frames.map((text) => ({ seq: 0, at: 0, event: JSON.parse(text) as LogEntry['event'] }))
        const own = JSON.stringify(folded(log), (key, value: unknown) =>
          key === 'provider' ? undefined : value,
        )
        expect(JSON.stringify(folded(read))).toBe(own)
      }),
      RUNS,
    )
  })
})

/** The calls whose input has come whole. */
function completeIn(log: readonly LogEntry[]): Set<string> {
  return new Set(log.flatMap(({ event }) => (event.type === 'tool.called' ? [event.callId] : [])))
}

function errorOf(log: readonly LogEntry[]): string | undefined {
  const end = endOf(log)
  return end?.type === 'run.failed' ? end.failure.message : undefined
}

/** What is shown once, beside the message. */
function isPassing(event: RunEvent): boolean {
  return event.type === 'tool.progressed' || (event.type === 'data' && event.transient === true)
}

/** In its parts: `reasoning` beside them joins those of several steps by a blank line. */
function thoughtIn({ parts }: V4Message): string {
  return parts.map((part) => (part.type === 'reasoning' ? String(part['reasoning']) : '')).join('')
}

function stepsIn({ parts }: { readonly parts: readonly { readonly type: string }[] }): number {
  return parts.filter(({ type }) => type === 'step-start').length
}

function metadataOf(log: readonly LogEntry[]): object {
  const ids = { runId: 'run_story', conversationId: 'conv_story' }
  const end = endOf(log)
  if (end?.type === 'run.cancelled') return { ...ids, finishReason: 'stop', stopped: true, usage: end.usage }
  if (end?.type === 'run.finished') {
    return { ...ids, finishReason: end.reason === 'interrupted' ? 'other' : end.reason, usage: end.usage }
  }
  if (end?.type === 'run.failed') return { ...ids, finishReason: 'error', usage: end.usage }
  const waiting = log.reduce((before: readonly string[], { event }) => waitingCalls(before, event), [])
  const last = log.at(-1)
  return last && pausesAfter(last.event, waiting) ? { ...ids, finishReason: 'tool-calls', waiting } : ids
}

function callsOf({ parts }: AssistantMessage): ToolPart[] {
  return parts.filter((part) => part.type === 'tool')
}

/** Newer clients have a state for a call that was refused, and no words beside it. */
function withoutNoes(message: AssistantMessage): AssistantMessage {
  const parts = message.parts.map((part) => {
    if (part.type !== 'tool' || part.answer?.kind !== 'approval' || part.answer.approved) return part
    const { failure: _, ...rest } = part
    return rest
  })
  return { ...message, parts }
}

/** As a network may cut it: anywhere, also within a letter. */
function inPieces(bytes: Buffer, sizes: Iterable<number>): Response {
  const pieces: Uint8Array[] = []
  let at = 0
  for (const size of sizes) {
    if (at >= bytes.length) break
    pieces.push(bytes.subarray(at, at + size))
    at += size
  }
  return new Response(ReadableStream.from(pieces))
}
