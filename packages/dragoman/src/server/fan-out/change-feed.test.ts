import { expect, it, vi } from 'vitest'

import { createUserChanges } from '../../log/index.ts'
import { memoryNotifier } from '../../stores/memory/index.ts'
import { createChangeFeeds } from './change-feed.ts'
import type { Feed } from './feed.ts'

/** Reads what comes, as a socket does. */
function read(feed: Feed): Uint8Array[] {
  const pieces: Uint8Array[] = []
  const takeAll = (): void => {
    for (let piece = feed.take(); piece instanceof Uint8Array; piece = feed.take()) pieces.push(piece)
    feed.whenMore(takeAll)
  }
  takeAll()
  return pieces
}

function linesOf(pieces: readonly Uint8Array[]): unknown[] {
  const lines = Buffer.concat(pieces).toString().split('\n\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line.replace('data: ', '')))
}

it('writes a storm of changes to each of many streams a few times, encoded once', async () => {
  const changes = createUserChanges(memoryNotifier())
  const feeds = createChangeFeeds(changes)
  const open = await Promise.all(Array.from({ length: 300 }, () => feeds.open('ada')))
  const all = open.map(read)
  const other = read(await feeds.open('bob'))

  for (let nth = 0; nth < 500; nth += 1) {
    changes.announce('ada', { type: 'thread.changed', threadId: `conv_${nth % 7}` })
    if (nth % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 1))
  }
  changes.announce('ada', { type: 'questions.changed' })
  await vi.waitFor(() => expect(linesOf(all.at(-1) ?? [])).toContainEqual({ type: 'questions.changed' }))

  expect(linesOf(all[0] ?? [])[0]).toEqual({ type: 'changed' })
  expect(all[0]?.length).toBeLessThan(6)
  for (const pieces of all) pieces.forEach((piece, nth) => expect(piece).toBe(all[0]?.[nth]))
  expect(linesOf(other)).toEqual([{ type: 'changed' }])
  for (const feed of open) feed.close()
})

it('tells what a run is last', async () => {
  const changes = createUserChanges(memoryNotifier())
  const feed = await createChangeFeeds(changes).open('ada')
  const pieces = read(feed)
  for (const status of ['running', 'waiting', 'running'] as const)
    changes.announce('ada', { type: 'run.changed', threadId: 'conv_1', runId: 'run_1', status })

  await vi.waitFor(() => expect(linesOf(pieces).at(-1)).toMatchObject({ status: 'running' }))
  expect(linesOf(pieces)).toHaveLength(3)
  feed.close()
})

it('tells a reader that takes nothing, and a time of many changes, only that something has changed', async () => {
  const changes = createUserChanges(memoryNotifier())
  const feed = await createChangeFeeds(changes).open('ada')
  for (let nth = 0; nth < 500; nth += 1)
    changes.announce('ada', { type: 'thread.changed', threadId: `conv_${nth}` })

  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(linesOf(read(feed))).toEqual([{ type: 'changed' }])
  feed.close()
})

it('hears of changes as long as a stream is open, and again for the next', async () => {
  const ends: string[] = []
  const changes = createUserChanges(memoryNotifier())
  const listen: typeof changes.listen = async (...given) => {
    const end = await changes.listen(...given)
    return () => (ends.push(given[0]), end())
  }
  const feeds = createChangeFeeds({ ...changes, listen })
  const [one, two] = [await feeds.open('ada'), await feeds.open('ada')]
  one.close()
  await Promise.resolve()
  expect(ends).toEqual([])
  two.close()
  await vi.waitFor(() => expect(ends).toEqual(['ada']))

  const next = read(await feeds.open('ada'))
  changes.announce('ada', { type: 'questions.changed' })
  await vi.waitFor(() => expect(linesOf(next)).toContainEqual({ type: 'questions.changed' }))
})
