import * as ai from 'ai'
import { describe, expect, it } from 'vitest'

import { textOf, type AssistantMessage, type LogEntry } from '../../packages/dragoman/src/events/index.ts'
import { contentOfAgUi, contentOfUseAi } from '../laws/ag-ui-content.ts'
import { folded, contentOfChat, contentOfFold, type MessageContent } from '../laws/message-content.ts'
import { asReturned } from '../laws/output-text.ts'
import { framesOf } from '../support/event-stream.ts'
import { gate, type Gate } from '../support/gate.ts'
import { calls, says, scriptedModel, step, thinks, type Script } from '../support/scripted-model.ts'
import { useServer } from '../support/use-server.ts'
import {
  callsIn,
  isRunEnd,
  checkEvents,
  isFinalRunEnd,
  runAgent,
  socketClient,
  toolResult,
  type SocketClient,
} from '../support/socket-client.ts'
import { weather } from '../support/story-tools.ts'
import { expectNoWarnings } from '../support/expect-no-warnings.ts'
import { followersByVersion, followRun, type FollowedRun, type Generation } from './follow-run.ts'
import { createApplyTool, callOf, waitForText } from './questions.ts'
import { historyOf, openChat, type ChatMessage } from './sdk-chat.ts'

const paint = { name: 'paint', description: 'Paints the page.', parameters: { type: 'object' } }
expectNoWarnings()

/** Reasoning, a text in each step, a tool of the server's, one of the page's, and one that needs a yes. */
function script(first: Gate, second: Gate): Script {
  return [
    step(
      thinks('Hm, ', '我想想…'),
      says('I look, ', '请稍等 ', first, '🌦.'),
      calls('c1', 'weather', { city: '卑尔根' }),
      calls('c2', 'paint', { color: 'red “☔”' }),
      calls('c3', 'apply', { job: 3 }),
    ),
    step(thinks('So.'), says('It ', 'rains, ', second, '完毕 ☔️.')),
  ]
}

describe.each(['pi', 'default'])('one run on the engine %s', (engine) => {
  const model = scriptedModel()
  const { apply, applied } = createApplyTool()
  const server = useServer({ models: model.models, tools: [weather, apply], agent: { engine } })

  it('has the same content in every protocol, started over Socket.IO', async () => {
    const before = applied.length
    const [first, second] = [gate(), gate()]
    model.play(script(first, second))
    using starter = socketClient(server.url)
    using watcher = socketClient(server.url)
    const firstRun = runAgent('begun', 'r1', 'Paint it, 请.', { tools: [paint] })
    const runId = String((await starter.ask('run_agent', firstRun))['runId'])
    await first.reached
    await watcher.ask('follow_run', { threadId: 'begun' })
    const all = followers(server.url, runId)

    first.open()
    await answered(starter, 'r1')
    await second.reached
    const { messages } = await historyOf(server.url, 'begun')
    const chat = openChat(ai, { url: server.url, id: 'begun', messages })
    const resumed = chat.resumeStream()
    await chat.shows('rains')
    await Promise.all([comesBack(starter), comesBack(watcher)])
    second.open()
    await Promise.all([starter.until(isFinalRunEnd('r1')), watcher.until(isRunEnd('r1')), resumed])

    const contents = await all.said
    expect(contents).toMatchObject(expected)
    expect(applied.slice(before)).toEqual([3])
    expect(bySocket(starter, 'r1', 1)).toEqual(contents)
    expect(bySocket(watcher, 'r1')).toEqual(withoutPaint(contents))
    expect(byChat(chat.messages.at(-1))).toEqual(await all.returned)
    for (const read of await all.agUi) expect(read).toEqual(contents)
    // Who comes when all is over is told no less.
    for (const read of await followers(server.url, runId).agUi) expect(read).toEqual(contents)
    using late = socketClient(server.url)
    await late.ask('follow_run', { runId })
    await late.until(isFinalRunEnd('r1'))
    expect(bySocket(late, 'r1', 1)).toEqual(contents)
  })

  it('has the same content in every protocol, started by useChat', async () => {
    const before = applied.length
    const [first, second] = [gate(), gate()]
    model.play(script(first, second))
    const tools = { paint: { description: paint.description, inputSchema: paint.parameters } }
    const chat = openChat(ai, {
      url: server.url,
      id: 'chatted',
      body: { tools },
      sendAutomaticallyWhen: ai.lastAssistantMessageIsCompleteWithToolCalls,
    })
    const sending = chat.sendMessage({ text: 'Paint it, 请.' })
    await chat.shows('请稍等')
    const runId = String(chat.messages.at(-1)?.metadata?.runId)
    using watcher = socketClient(server.url)
    expect(await watcher.ask('follow_run', { threadId: 'chatted' })).toMatchObject({ watches: true })
    const all = followers(server.url, runId)
    first.open()
    await sending
    await chat.give('paint', callOf(chat, 'paint').toolCallId, { painted: 'red' })
    await chat.give('apply', callOf(chat, 'apply').toolCallId, { approved: true })
    await second.reached
    await comesBack(watcher)
    second.open()
    await Promise.all([waitForText(chat, '完毕'), watcher.until(isRunEnd(runId))])

    const contents = await all.said
    expect(contents).toMatchObject(expected)
    expect(applied.slice(before)).toEqual([3])
    expect(byChat(chat.messages.at(-1))).toEqual(await all.returned)
    expect(bySocket(watcher, runId)).toEqual(withoutPaint(contents))
    for (const read of await all.agUi) expect(read).toEqual(contents)
  })
})

/** How a run has come to one of its readers. What the page's tool gave is known by who ran it alone. */
type Read = { readonly text: string; readonly reasoning: string; readonly calls: readonly Call[] }
type Call = MessageContent['calls'][string] & { readonly id: string }

const expected = {
  text: 'I look, 请稍等 🌦.\n\nIt rains, 完毕 ☔️.',
  reasoning: 'Hm, 我想想…So.',
  calls: [
    { tool: 'weather', input: { city: '卑尔根' }, words: 'Rain in 卑尔根.' },
    { tool: 'paint', input: { color: 'red “☔”' } },
    { tool: 'apply', input: { job: 3 }, words: 'Applied for 3.' },
  ],
}

function toRead({ reasoning, calls: made }: MessageContent, text: string): Read {
  const all = Object.entries(made).map(([id, { tool, input, words }]) => {
    return { id, tool, input, words: tool === 'paint' ? undefined : words }
  })
  return { text, reasoning, calls: all }
}

/**
 * A reader of the native events, and the AG-UI client of each generation, over a stable connection and over one that
 * breaks in the middle of a text.
 */
function followers(
  url: string,
  runId: string,
): { said: Promise<Read>; returned: Promise<Read>; agUi: Promise<Read[]> } {
  const native = async (): Promise<AssistantMessage> => {
    const response = await fetch(`${url}/v1/runs/${runId}/events?protocol=native`)
    const frames = framesOf(Buffer.from(await response.arrayBuffer()))
    const log = frames.map(({ seq, at, ...event }) => ({ seq, at, event }) as LogEntry)
    return folded(log)
  }
  const agUi = (Object.keys(followersByVersion) as Generation[]).flatMap((generation) => [
    followRun(generation, { url, runId }),
    followRun(generation, { url, runId, cutAt: '请稍等' }),
  ])
  const message = native()
  const read = (each: AssistantMessage): Read => toRead(contentOfFold(each), textOf(each))
  return {
    said: message.then(read),
    // A page of the AI SDK gets what a tool returned, where others get its words.
    returned: message.then((each) => read(asReturned(each))),
    agUi: Promise.all(agUi.map(async (each) => byAgUi(await each))),
  }
}

/** Each run of the client's that the run consists of has one end, and only the last is the whole's. */
function byAgUi({ messages, ends }: FollowedRun): Read {
  const types = ends.map(({ type }) => type)
  expect(types.filter((_, index) => index % 2 === 0)).toEqual(types.filter((type) => type === 'RUN_STARTED'))
  expect(types.filter((_, index) => index % 2 === 1)).toEqual(types.filter((type) => type === 'RUN_FINISHED'))
  expect(ends.filter(({ metadata }) => metadata !== undefined)).toEqual([ends.at(-1)])
  const texts = messages.flatMap(({ role, content }) =>
    role === 'assistant' && typeof content === 'string' && content ? [content] : [],
  )
  return toRead(contentOfAgUi(messages), texts.join('\n\n'))
}

/** As use-ai's page reads it, which was asked for so many approvals: in text, where its run ends each time. */
function bySocket(client: SocketClient, runId: string, asked = 0): Read {
  const events = client.of(runId)
  const ends = checkEvents(events).filter((type) => type === 'RUN_FINISHED' || type === 'RUN_ERROR')
  expect(ends).toEqual(Array.from({ length: asked + 1 }, () => 'RUN_FINISHED'))
  const reply = contentOfUseAi(events)
  return toRead(reply, reply.text.replaceAll(/(?:\n\n)?可以运行以下工具吗？[^]*?请回答“是”或“否”。/g, '\n\n'))
}

function byChat(message: ChatMessage | undefined): Read {
  const parts = message?.parts ?? []
  expect(message?.metadata).toMatchObject({ finishReason: 'stop' })
  const ids = parts.flatMap((part) => ('toolCallId' in part ? [part.toolCallId] : []))
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return toRead(contentOfChat({ parts } as ChatMessage, new Set(ids)), texts.join('\n\n'))
}

/** As one reads it who is not asked for the page's results. */
function withoutPaint(read: Read): Read {
  return { ...read, calls: read.calls.filter(({ tool }) => tool !== 'paint') }
}

/** Runs the page's tool, and says yes. */
async function answered(client: SocketClient, runId: string): Promise<void> {
  const { event } = await client.until(({ event: { name } }) => name === 'question')
  const { callId } = event['value'] as { callId: string }
  const isPaint = () => callsIn(client.of(runId)).find(({ name }) => name === 'paint')
  await client.until(
    ({ event: { type, toolCallId } }) => type === 'TOOL_CALL_END' && toolCallId === isPaint()?.id,
  )
  await client.ask('tool_result', toolResult(isPaint()?.id ?? '', '{"painted":"red"}'))
  await client.ask('tool_result', toolResult(callId, '{"approved":true}'))
}

/** Its line breaks, and it is back. */
async function comesBack({ socket }: SocketClient): Promise<void> {
  const again = new Promise<void>((resolve) => socket.once('connect', resolve))
  socket.io.engine.close()
  await again
}
