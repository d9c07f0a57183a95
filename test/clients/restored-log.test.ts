import { HttpAgent } from '@ag-ui/client'
import { describe, expect, it, onTestFinished, vi } from 'vitest'

import {
  followRun,
  isLogReplaced,
  messages,
  resumableFetch,
  type AssistantMessage,
} from '../../packages/client/src/index.ts'
import { eventsOf, reading } from '../support/event-stream.ts'
import { postJson } from '../support/http.ts'
import { BACKED_UP_TEXT, LAST_LOST, NEW_TEXT, openRestoredServer } from '../support/restored-server.ts'
import { isRunEnd, runAgent, socketClient, textIn } from '../support/socket-client.ts'
import { textOf as agentText, type Agent } from './ag-ui-agent.ts'
import { builds, historyOf, openChat, textOf } from './sdk-chat.ts'
import { v4User } from './sdk-v4.ts'

const question = {
  id: 'chat-1',
  messages: [{ id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Go.' }] }],
}
const replaced = (error: unknown): boolean => isLogReplaced(error)

describe('a client of a server that was restored to an earlier point of its run', () => {
  it.each(Object.entries(builds))(
    'useChat of %s is told, and loads the conversation again',
    async (_, load) => {
      await using server = await openRestoredServer()
      const { url } = server.line
      const sdk = await load()
      const chat = openChat(sdk, { url, id: 'chat-1', fetch: resumableFetch() })
      const sending = chat.sendMessage({ text: 'Go.' })
      await server.backUp()
      await chat.shows(LAST_LOST)

      await server.restore()
      await sending

      expect([chat.status, chat.error]).toEqual(['error', expect.toSatisfy(replaced)])
      expect(textOf(chat.messages.at(-1))).not.toContain('New')
      const { messages: loaded } = await historyOf(url, 'chat-1')
      expect(loaded.map(textOf)).toEqual(['Go.', BACKED_UP_TEXT + NEW_TEXT])
    },
  )

  it('useChat of AI SDK 4, which has no cursors, is told', async () => {
    await using server = await openRestoredServer()
    const { url } = server.line
    const answer = await resumableFetch()(`${url}/jobs/chat`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ id: 'chat-1', messages: [v4User('Go.')] }),
    })
    const body = reading(answer)
    await server.backUp()
    await body.until(LAST_LOST)

    await server.restore()

    await expect(body.whole()).rejects.toSatisfy(replaced)
    expect(body.soFar().includes('New')).toBe(false)
  })

  it('followRun is told, and begins again', async () => {
    await using server = await openRestoredServer()
    const { url } = server.line
    const answer = await postJson(`${url}/jobs/chat`, question)
    const events = `${url}/v1/runs/${answer.headers.get('x-run-id')}/events`
    const snapshots: AssistantMessage[] = []
    const read = async (): Promise<void> => {
      for await (const message of messages(followRun(events))) snapshots.push(message)
    }
    const following = read()
    await server.backUp()
    await expect.poll(() => JSON.stringify(snapshots.at(-1))).toContain(LAST_LOST)

    await server.restore()

    await expect(following).rejects.toSatisfy(replaced)
    const again = await Array.fromAsync(messages(followRun(events)))
    expect(partsText(again.at(-1))).toBe(BACKED_UP_TEXT + NEW_TEXT)
    expect(again.at(-1)?.status).toBe('finished')
  })

  it('HttpAgent of AG-UI is told, and loads the conversation again', async () => {
    await using server = await openRestoredServer()
    const { url } = server.line
    const open = (): Agent =>
      new HttpAgent({
        url: `${url}/ag-ui/jobs`,
        threadId: 'thread-1',
        fetch: cancellable(resumableFetch()),
      })
    const agent = open()
    agent.messages.push({ id: 'm1', role: 'user', content: 'Go.' })
    // It says what it throws.
    vi.spyOn(console, 'error').mockReturnValue()
    onTestFinished(() => void vi.restoreAllMocks())
    const running = agent.runAgent({ runId: 'r1' }, {})
    running.catch(() => undefined)
    await server.backUp()
    await expect.poll(() => agentText(agent)).toContain(LAST_LOST)

    await server.restore()

    await expect(running).rejects.toSatisfy(replaced)
    expect(agentText(agent)).not.toContain('New')
    const page = await fetch(`${url}/ag-ui/jobs?threadId=thread-1`, {
      headers: { accept: 'application/json' },
    })
    const { messages: loaded } = (await page.json()) as { messages: { parts: { content: string }[] }[] }
    const text = loaded.flatMap(({ parts }) => parts.map(({ content }) => content)).join('|')
    expect(text).toBe(`Go.|${BACKED_UP_TEXT}|${NEW_TEXT}`)
  })

  it('a socket is sent the run again, from its start', async () => {
    await using server = await openRestoredServer()
    using client = socketClient(server.line.url)
    client.send('run_agent', runAgent('thread-1', 'r1', 'Go.'))
    await server.backUp()
    await client.until(() => textIn(client.of('r1')).includes(LAST_LOST))
    const count = client.of('r1').length

    await server.restore()
    await client.until(isRunEnd('r1'))

    const again = client.of('r1').slice(count)
    expect(again.slice(0, 2).map(({ type }) => type)).toEqual(['RUN_STARTED', 'MESSAGES_SNAPSHOT'])
    expect(textIn(again).replaceAll('\n', '')).toBe(BACKED_UP_TEXT + NEW_TEXT)
    expect(again.at(-1)?.type).toBe('RUN_FINISHED')
  })

  it('a socket that asks with a cursor of its own is refused', async () => {
    await using server = await openRestoredServer()
    const { url } = server.line
    const answer = await postJson(`${url}/jobs/chat?ids=1`, question)
    const runId = answer.headers.get('x-run-id') ?? ''
    const body = reading(answer)
    await server.backUp()
    const cursor = eventsOf(await body.until(LAST_LOST)).at(-1)?.id ?? ''
    await server.restore()

    using client = socketClient(url)

    expect(await client.ask('follow_run', { runId, after: cursor })).toMatchObject({ code: 'cursor-unknown' })
    expect(await client.ask('follow_run', { runId })).toMatchObject({ ok: true })
    await client.until(isRunEnd(runId))
  })
})

/** This client cancels a body that has failed, and leaves the rejection of that to the process. */
function cancellable(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (...request) => {
    const response = await fetch(...request)
    const reader = response.body?.getReader()
    const body = { getReader: () => ({ read: () => reader?.read(), cancel: async () => undefined }) }
    return Object.defineProperty(response, 'body', { value: body })
  }
}

function partsText(message: AssistantMessage | undefined): string {
  return (message?.parts ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('')
}
