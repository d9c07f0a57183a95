import { describe, expect, it, vi } from 'vitest'

import { openPostgres, type PostgresStorage } from './index.ts'
import { createTestDatabase, hasServer } from './postgres.fixture.ts'

const PARTS = 12
const ALL = Array.from({ length: PARTS }, (_, number) => number)
const TIMEOUT = { timeout: 20_000 }

/** A node that shares numbers, and those that it works with now. */
type Member = { mine: readonly number[]; readonly leave: () => Promise<void> }

describe.runIf(hasServer)('numbers that nodes share', () => {
  /** Works with what it gets, until then. `worksTwice` has the numbers that two nodes worked with at once. */
  const join = ({ cluster }: PostgresStorage, busy: Set<number>, worksTwice: number[]): Member => {
    const exit = new AbortController()
    const work = async (mine: readonly number[], signal: AbortSignal): Promise<void> => {
      for (const number of mine) {
        if (busy.has(number)) worksTwice.push(number)
        busy.add(number)
      }
      member.mine = mine
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve))
      for (const number of mine) busy.delete(number)
      member.mine = []
    }
    const shared = cluster.share('words', PARTS, work, exit.signal)
    const member: Member = {
      mine: [],
      async leave() {
        exit.abort()
        await shared
      },
    }
    return member
  }

  it('are divided evenly, each is one node’s at a time, and another takes those of a node that leaves', async () => {
    const { url, drop } = await createTestDatabase()
    const nodes = await Promise.all(Array.from({ length: 3 }, () => openPostgres(url)))
    const busy = new Set<number>()
    const worksTwice: number[] = []
    const members: Member[] = []
    const expectShares = (...counts: readonly number[]): Promise<void> =>
      vi.waitFor(() => {
        expect(members.map(({ mine }) => mine.length).toSorted((a, b) => a - b)).toEqual(counts)
        expect(members.flatMap(({ mine }) => mine).toSorted((a, b) => a - b)).toEqual(ALL)
      }, TIMEOUT)
    for (const [at, counts] of [[12], [6, 6], [4, 4, 4]].entries()) {
      const node = nodes[at]
      if (node) members.push(join(node, busy, worksTwice))
      await expectShares(...counts)
    }

    await members[1]?.leave()
    await expectShares(0, 6, 6)
    // A node that is gone gives nothing back. Its session ends, and with it what it held.
    await nodes[0]?.close()
    await expectShares(0, 0, 12)

    expect(worksTwice).toEqual([])
    await Promise.all(members.map(({ leave }) => leave()))
    await Promise.all(nodes.slice(1).map(({ close }) => close()))
    await drop()
  }, 60_000)

  it('end with the error of the work, and are free then', async () => {
    const { url, drop } = await createTestDatabase()
    const nodes = await Promise.all([openPostgres(url), openPostgres(url)])
    const failure = nodes[0].cluster.share(
      'words',
      PARTS,
      () => Promise.reject(new Error('It does not work.')),
      AbortSignal.timeout(30_000),
    )

    await expect(failure).rejects.toThrow('It does not work.')
    const member = join(nodes[1], new Set(), [])
    await vi.waitFor(() => expect(member.mine).toEqual(ALL), TIMEOUT)
    await member.leave()
    await Promise.all(nodes.map(({ close }) => close()))
    await drop()
  }, 60_000)
})
