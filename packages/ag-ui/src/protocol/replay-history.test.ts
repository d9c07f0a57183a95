import { describe, expect, it } from 'vitest'

import type { Message } from 'dragoman/events'
import { run } from '../../../dragoman/src/protocols/stories.fixture.ts'
import { replayHistory, type ReplayInput } from './replay-history.ts'

const userMessage = (id: string, text: string): Message => ({
  role: 'user',
  id,
  parts: [{ type: 'text', text }],
})
const rested: ReplayInput = {
  threadId: 't',
  runId: 'r',
  view: {},
  run,
  messages: [userMessage('m1', 'Hi')],
  state: null,
}
const replayed = (what: Partial<ReplayInput>) =>
  replayHistory({ ...rested, ...what }).map(
    (frame) => JSON.parse(frame) as { type: string; messages?: object[] },
  )

describe('replay', () => {
  it("shows the conversation as a run with the client's ids", () => {
    expect(replayed({ state: { size: 3 } })).toEqual([
      { type: 'RUN_STARTED', threadId: 't', runId: 'r' },
      { type: 'MESSAGES_SNAPSHOT', messages: [{ id: 'm1', role: 'user', content: 'Hi' }] },
      { type: 'STATE_SNAPSHOT', snapshot: { size: 3 } },
      { type: 'RUN_FINISHED', threadId: 't', runId: 'r', usage: [] },
    ])
  })

  it('shows nothing for an empty conversation', () => {
    const { run: _, ...unknown } = rested

    expect(replayHistory(unknown).map((frame) => (JSON.parse(frame) as { type: string }).type)).toEqual([
      'RUN_STARTED',
      'RUN_FINISHED',
    ])
  })

  it('names the version to a client that sends one', () => {
    expect(replayed({ view: { version: '1.0' } })[0]).toMatchObject({ protocolVersion: '1.0' })
  })

  it('shows as much of the end as the client accepts', () => {
    const large = 'x'.repeat(3 * 1024 * 1024)
    const messages = ['m1', 'm2', 'm3', 'm4'].map((id) => userMessage(id, large))

    expect(replayed({ messages })[1]?.messages).toMatchObject([{ id: 'm3' }, { id: 'm4' }])
  })
})
