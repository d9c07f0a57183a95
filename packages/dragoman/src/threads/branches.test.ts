import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { textOf, type NewRun, type RunEvent } from '../events/index.ts'
import { newRun } from '../log/store-claims.contract.ts'
import type { StoredMessage } from './message-rows.ts'
import {
  finished,
  textEvents,
  createTestConversation,
  type TestConversation,
} from './conversation.fixture.ts'

describe('a conversation with branches', () => {
  let all: TestConversation
  beforeEach(async () => {
    all = await createTestConversation()
  })
  afterEach(() => all.db.destroy())

  const path = async (threadId = all.thread.id): Promise<string[]> =>
    (await all.history.path(threadId, { limit: 100 })).map(({ message }) => textOf(message))
  /** Another answer to the message that a run was asked. */
  const again = (runId: string, answer: string): Promise<string> =>
    all.addRun('one', answer, {
      request: {
        messageId: `msg_u_${runId}`,
        input: [{ type: 'text', text: runId }],
        context: {},
        tools: [],
      },
    })

  const run = (id: string): NewRun => {
    const usual = newRun(id, { threadId: all.thread.id })
    return { ...usual, request: { ...usual.request, input: [{ type: 'text', text: id }] } }
  }

  it('goes on along the path that is chosen, or was begun last', async () => {
    const first = await all.addRun('one', 'first')
    await all.addRun('two', 'first two')
    const second = await again('run_1', 'second')
    expect(await path()).toEqual(['one', 'second'])

    expect(await all.branches.choose(all.thread.id, first)).toBe('msg_run_2')
    expect(await path()).toEqual(['one', 'first', 'two', 'first two'])
    await all.addRun('three', 'first three')
    expect(await path()).toEqual(['one', 'first', 'two', 'first two', 'three', 'first three'])

    expect(await all.branches.choose(all.thread.id, 'run_3')).toBe(second)
    expect(await path()).toEqual(['one', 'second'])
    expect((await all.threads.get('ada', all.thread.id)).chosen).toBe(second)
  })

  it('is taken where it was left, at each fork', async () => {
    const first = await all.addRun('one', 'first')
    const early = await all.addRun('two', 'early')
    const late = await all.addRun('two', 'late', { parentId: first })
    const second = await again('run_1', 'second')

    expect(await all.branches.choose(all.thread.id, first)).toBe(late)
    await all.branches.choose(all.thread.id, early)
    await all.branches.choose(all.thread.id, second)

    expect(await all.branches.choose(all.thread.id, first)).toBe(early)
    expect(await all.branches.choose(all.thread.id, 'msg_u_run_1')).toBe(early)
  })

  it('stays on the chosen path while a run on another goes on', async () => {
    const first = await all.addRun('one', 'first')
    await all.startRun('one', textEvents('run_2', 'sec'), {
      request: { messageId: 'msg_u_run_1', input: [{ type: 'text', text: 'one' }], context: {}, tools: [] },
    })
    await all.branches.choose(all.thread.id, first)
    await all.end('run_2')

    expect(await path()).toEqual(['one', 'first'])
  })

  it('tells the siblings of each message in the order in which they came', async () => {
    const first = await all.addRun('one', 'first')
    const second = await again('run_1', 'second')
    await all.addRun('edited', 'third', { threadId: all.thread.id })
    const messages = await all.history.path(all.thread.id, { limit: 10, leaf: second })

    const siblings = await all.branches.siblings(all.thread.id, messages)

    expect(siblings).toEqual(
      new Map([
        ['msg_u_run_1', ['msg_u_run_1', 'msg_u_run_3']],
        [second, [first, second]],
      ]),
    )
  })

  it('knows no message of another', async () => {
    const { thread } = await all.threads.open({ userId: 'ada', agent: 'dice' })
    await all.addRun('one', 'first')

    await expect(all.branches.choose(thread.id, 'msg_run_1')).rejects.toMatchObject({ code: 'not-found' })
  })

  it('is copied up to a message, with all that a model needs of it', async () => {
    const call: RunEvent[] = [
      { type: 'tool.started', callId: 'run_1.2', tool: 'look' },
      { type: 'tool.called', callId: 'run_1.2', tool: 'look', input: { a: 1 }, provider: { item: 'x' } },
      { type: 'tool.executing', callId: 'run_1.2' },
      { type: 'tool.returned', callId: 'run_1.2', output: [1], text: 'one' },
    ]
    const first = await all.startRun('one', [...textEvents('run_1', 'first'), ...call, finished])
    await all.addRun('two', 'more')
    const before = await all.history.path(all.thread.id, { limit: 10 })

    const fork = await all.forks.fork('ada', await all.threads.get('ada', all.thread.id), {
      messageId: first,
    })

    const copied = await all.history.path(fork.id, { limit: 10 })
    const partsOf = (stored: readonly StoredMessage[]) =>
      stored.map(({ message }) => [message.role, message.parts])
    expect(partsOf(copied)).toEqual(partsOf(before.slice(0, 2)))
    expect(JSON.stringify(copied)).toContain('signature')
    expect(copied.map(({ row }) => row.id).filter((id) => before.some(({ row }) => row.id === id))).toEqual(
      [],
    )
    expect(fork).toMatchObject({
      agent: 'dice',
      title: 'one',
      metadata: { forkedFrom: { threadId: all.thread.id, messageId: first } },
      chosen: copied[1]?.row.id,
    })
    expect(await all.history.path(all.thread.id, { limit: 10 })).toEqual(before)
  })

  it('is gone on with apart from its fork', async () => {
    await all.addRun('one', 'first')
    const fork = await all.forks.fork('ada', await all.threads.get('ada', all.thread.id), { title: 'mine' })
    await all.addRun('two', 'of the fork', { threadId: fork.id, parentId: fork.chosen ?? '' })
    await all.threads.remove(all.thread)

    expect(await path(fork.id)).toEqual(['one', 'first', 'two', 'of the fork'])
    expect((await all.threads.get('ada', fork.id)).title).toBe('mine')
  })

  it('is not copied from an answer that is being given, nor before anything was said wrongly', async () => {
    const empty = await all.forks.fork('ada', all.thread, {})
    expect(await path(empty.id)).toEqual([])
    const live = await all.startRun('one', textEvents('run_1', 'half'))
    const thread = await all.threads.get('ada', all.thread.id)

    await expect(all.forks.fork('ada', thread, { messageId: live })).rejects.toMatchObject({
      code: 'thread-busy',
    })
    expect(await path((await all.forks.fork('ada', thread, { messageId: 'msg_u_run_1' })).id)).toEqual([
      'one',
    ])
    await expect(all.forks.fork('ada', thread, { messageId: 'msg_x' })).rejects.toMatchObject({
      code: 'not-found',
    })
    expect(await all.threads.list('ada', { limit: 10 })).toHaveLength(3)
  })

  it('has its rows in the order of its runs, though one that waited in a queue ended first', async () => {
    await all.store.create(run('run_a'), 'queue')
    await all.store.create({ ...run('run_b'), parentId: 'msg_run_a' }, 'queue')
    await all.store.append('run_b', [finished])

    await all.projector.catchUpAll()
    expect(await path()).toEqual(['run_a', '', 'run_b', ''])
    await all.store.append('run_a', [...textEvents('run_a', 'late'), finished])
    await all.projector.upTo(all.thread.id)

    expect(await path()).toEqual(['run_a', 'late', 'run_b', ''])
    expect((await all.threads.get('ada', all.thread.id)).chosen).toBe('msg_run_b')
  })
})
