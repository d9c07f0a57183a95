import { expect, it } from 'vitest'

import { changesOf } from './changes.fixture.ts'
import { newRun, type StorePair } from './store-claims.contract.ts'

/** The feed of changes. */
export function describeChanges(pair: () => StorePair): void {
  const text = { type: 'text.delta', partId: 'run_1.1', delta: 'a' } as const

  it('tells what changed, in order, once', async () => {
    await pair().store.create(newRun('run_1'), 'queue')
    await pair().store.create(newRun('run_2', { threadId: 'conv_2' }), 'queue')
    const first = await changesOf(pair().store, undefined, 2)
    expect(first.runs.map(({ id }) => id)).toEqual(['run_1', 'run_2'])

    await pair().other.append('run_1', [text, { type: 'run.stop-requested', by: 'ada' }])

    const second = await changesOf(pair().store, first.cursor, 1)
    expect(second.runs.map(({ id, lastSeq }) => [id, lastSeq])).toEqual([['run_1', 3]])
    expect(await pair().store.changed(second.cursor, 10)).toEqual({ runs: [], cursor: second.cursor })
  })

  it('tells what changed in some of the parts of all threads, each of which is in one', async () => {
    const ids = Array.from({ length: 20 }, (_, n) => `run_${n}`)
    for (const [n, id] of ids.entries())
      await pair().store.create(newRun(id, { threadId: `conv_${n % 10}` }), 'queue')
    const { cursor: end } = await changesOf(pair().store, undefined, 20, 100)
    const of = 3
    const pages = [[0], [1, 2]].map((parts) => pair().other.changed(undefined, 100, { parts, of }))
    const [first, rest] = await Promise.all(pages)

    const both = [...(first?.runs ?? []), ...(rest?.runs ?? [])]
    expect(new Set(both.map(({ id }) => id))).toEqual(new Set(ids))
    expect(both).toHaveLength(20)
    const threads = new Set(first?.runs.map(({ threadId }) => threadId))
    expect(rest?.runs.filter(({ threadId }) => threads.has(threadId))).toEqual([])
    // The cursor passes what changed elsewhere, but nothing of its own.
    expect([first?.cursor, rest?.cursor]).toEqual([end, end])
    const page = await pair().store.changed(undefined, 1, { parts: [0, 1, 2], of })
    expect(page.runs).toHaveLength(1)
    expect((await pair().store.changed(page.cursor, 100, { parts: [0, 1, 2], of })).runs).toHaveLength(19)
  })

  it('tells what changed of one user alone', async () => {
    await pair().store.create(newRun('run_1'), 'queue')
    await pair().store.create(newRun('run_2', { threadId: 'conv_2', userId: 'bob' }), 'queue')
    await pair().store.create(newRun('run_3', { threadId: 'conv_3' }), 'queue')
    const { cursor } = await changesOf(pair().store, undefined, 3)
    await pair().store.append('run_2', [{ type: 'run.stop-requested', by: 'bob' }])
    await changesOf(pair().store, cursor, 1)

    const idsOf = async (userId: string, limit = 10): Promise<string[]> =>
      (await pair().store.changed(undefined, limit, { userId })).runs.map(({ id }) => id)
    expect(await idsOf('ada')).toEqual(['run_1', 'run_3'])
    expect(await idsOf('ada', 1)).toEqual(['run_1'])
    expect(await idsOf('bob')).toEqual(['run_2'])
    expect(await idsOf('eve')).toEqual([])
    expect((await pair().store.changed(cursor, 10, { userId: 'ada' })).runs).toEqual([])
  })
}
