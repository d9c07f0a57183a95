import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { textOf, type Json } from '../events/index.ts'
import type { MessagePage } from './message-pages.ts'
import { threadTables } from './tables.ts'
import { createTestConversation, type TestConversation } from './conversation.fixture.ts'

describe('a thread', () => {
  let services: TestConversation
  beforeEach(async () => {
    services = await createTestConversation()
  })
  afterEach(() => services.db.destroy())

  it('keeps what several add to its metadata at once', async () => {
    const { thread, threads } = services
    const add = (name: string) =>
      threads.amend(thread, ({ names, ...others }) => ({
        ...others,
        names: [...(Array.isArray(names) ? (names as Json[]) : []), name],
      }))

    await Promise.all(['a', 'b', 'c', 'd'].map(add))

    const { names } = (await threads.get('ada', thread.id)).metadata
    expect(names).toHaveLength(4)
    expect(names).toEqual(expect.arrayContaining(['a', 'b', 'c', 'd']))
  })

  it('is one for 16 concurrent first messages with one client name', async () => {
    const { threads } = services
    const open = () => threads.open({ userId: 'ada', agent: 'dice', name: 'new' })

    const all = await Promise.all(Array.from({ length: 16 }, open))

    expect(new Set(all.map(({ thread }) => thread.id)).size).toBe(1)
    expect(all.filter(({ isNew }) => isNew)).toHaveLength(1)
  })

  it('that is gone is amended no more', async () => {
    await services.threads.remove(services.thread)

    await expect(services.threads.amend(services.thread, () => ({}))).rejects.toThrow(
      'There is no such conversation.',
    )
  })

  it('is remembered by its client’s name once it is removed, for its user and agent alone', async () => {
    const { threads } = services
    const { thread } = await threads.open({ userId: 'ada', agent: 'poet', name: '会话 1' })
    expect(await threads.known('ada', '会话 1', 'poet')).toEqual(thread)

    await threads.remove(thread)
    await threads.remove(thread)

    const deletedError = { code: 'not-found', message: 'This conversation was deleted.' }
    await expect(threads.known('ada', '会话 1', 'poet')).rejects.toMatchObject(deletedError)
    await expect(threads.known('ada', thread.id, 'poet')).rejects.toMatchObject({ code: 'not-found' })
    expect(await threads.known('bob', '会话 1', 'poet')).toBeUndefined()
    expect(await threads.known('ada', '会话 1', 'dice')).toBeUndefined()
  })

  it('is found by the name of a message that was said in it, the last one first', async () => {
    const { history, threads } = services
    const { thread: other } = await threads.open({ userId: 'ada', agent: 'dice' })
    const named = {
      messageId: 'msg_a',
      clientId: 'm1',
      input: [{ type: 'text' as const, text: 'one' }],
      context: {},
      tools: [],
    }
    await services.addRun('one', 'One.', { request: named })
    await services.addRun('two', 'Two.', { threadId: other.id, request: { ...named, messageId: 'msg_b' } })

    expect(await history.threadOf('ada', 'dice', 'm1')).toBe(other.id)
    expect(await history.threadOf('bob', 'dice', 'm1')).toBeUndefined()
    expect(await history.threadOf('ada', 'poet', 'm1')).toBeUndefined()
    expect(await history.threadOf('ada', 'dice', 'm2')).toBeUndefined()
  })

  it('is read in pieces, and no further than it is asked for', async () => {
    const { thread, history, messagePages, db } = services
    const large = 'x'.repeat(600_000)
    for (const text of ['one', 'two', 'three']) await services.addRun(`${text} ${large}`, `${text}!`)
    const { places, pages } = await messagePages.end(thread.id, { limit: 5 })
    const pieces = pages()
    const next = async (): Promise<string[] | undefined> => {
      const { value } = await pieces.next()
      const stored = await (value as MessagePage | undefined)?.read()
      return stored?.map(({ message }) => textOf(message).slice(0, 5))
    }

    expect(places.map(({ id }) => id)).toEqual(
      (await history.path(thread.id, { limit: 5 })).map(({ row }) => row.id),
    )
    expect(await next()).toEqual(['one!', 'two x', 'two!'])
    await threadTables(db).deleteFrom('chat_messages').execute()
    expect(await next()).toEqual([])
    expect(await next()).toBeUndefined()
  })

  it('is shown in slices of its chosen path', async () => {
    const { thread, threads, messagePages } = services
    for (const text of ['one', 'two', 'three']) await services.addRun(text, `${text}!`)
    const leaf = String((await threads.get('ada', thread.id)).chosen)
    const words = async (offset: number, limit: number) => {
      const { pages, total } = await messagePages.slice(thread.id, { leaf, offset, limit })
      const stored = await Array.fromAsync(pages(), ({ read }) => read())
      return { said: stored.flat().map(({ message }) => textOf(message)), total }
    }

    expect(await words(0, 2)).toEqual({ said: ['one', 'one!'], total: 6 })
    expect(await words(3, 2)).toEqual({ said: ['two!', 'three'], total: 6 })
    expect(await words(5, 2)).toEqual({ said: ['three!'], total: 6 })
    expect(await words(9, 2)).toEqual({ said: [], total: 6 })
  })
})
