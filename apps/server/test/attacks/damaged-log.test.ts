import { readdir, readFile, rm, stat, truncate } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'

import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { findWalDamage } from '../../../../packages/dragoman/src/database/index.ts'
import { openStores } from '../../../../packages/dragoman/src/server/open-stores.ts'
import { isFull } from '../../../../test/support/is-full.ts'
import {
  createKilledHome,
  FRAME_BYTES,
  PAGE_BYTES,
  readRows,
  startOf,
  type KilledHome,
} from '../support/killed-home.ts'
import { runDoctor } from '../support/run-doctor.ts'

const isLinux = process.platform === 'linux'

const KINDS = ['zeros', 'noise', 'bit', 'swap', 'copy', 'older', 'cut', 'hole'] as const

/** A change of a region of the log, of the size of a page or of a frame. */
type Change = {
  readonly kind: (typeof KINDS)[number]
  readonly frame: number
  readonly other: number
  readonly shift: number
  readonly bytes: number
  readonly count: number
}

let killed: KilledHome
beforeAll(async () => {
  killed = await createKilledHome()
})
afterAll(() => killed.close())

const changeOf = (kinds: readonly Change['kind'][]): fc.Arbitrary<Change> => {
  const frame = fc.integer({ min: 0, max: killed.frames })
  return fc.record({
    kind: fc.constantFrom(...kinds),
    frame,
    other: frame,
    shift: fc.oneof(fc.constant(0), fc.integer({ min: -40, max: FRAME_BYTES })),
    bytes: fc.constantFrom(FRAME_BYTES, PAGE_BYTES),
    count: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 40 })),
  })
}

function apply({ kind, frame, other, shift, bytes, count }: Change): Buffer {
  const log = Buffer.from(killed.log)
  const [at, from, length] = [Math.max(0, startOf(frame) + shift), startOf(other), bytes * count]
  const end = Math.min(log.length, at + length)
  if (kind === 'zeros') log.fill(0, at, end)
  if (kind === 'noise') log.fill(at % 251, at, end)
  if (kind === 'bit') log.writeUInt8(log.readUInt8(at) ^ (1 << (count % 8)), at)
  if (kind === 'copy' || kind === 'swap') killed.log.copy(log, at, from, from + length)
  if (kind === 'swap') killed.log.copy(log, from, at, end)
  if (kind === 'older')
    killed.log.copy(log, at, startOf(killed.frames + 1), startOf(killed.frames + 1) + length)
  if (kind === 'cut') return log.subarray(0, at)
  if (kind === 'hole') return Buffer.concat([log.subarray(0, at), log.subarray(end)])
  return log
}

describe.skipIf(!isLinux)('the log of a server that was killed', () => {
  it('has no damage', async () => {
    const file = await killed.copy()

    expect(await findWalDamage(file)).toBeUndefined()
    expect(readRows(file)).toBe(killed.rows)
  })

  it('loses nothing in silence, whatever is done to a region of it', async () => {
    await fc.assert(
      fc.asyncProperty(changeOf(KINDS), async (each) => {
        const file = await killed.copy(apply(each))
        const damage = await findWalDamage(file)
        if (damage === undefined) expect(readRows(file)).toBe(killed.rows)
        await rm(dirname(file), { recursive: true })
      }),
      { numRuns: isFull ? 300 : 100 },
    )
  })

  it('loses the last transactions at most in silence after a power failure, without index and mark', async () => {
    await fc.assert(
      fc.asyncProperty(changeOf(['zeros', 'noise', 'bit', 'older']), async (each) => {
        const file = await killed.copy(apply({ ...each, count: 1 }), ['-shm', '.mark'])
        const damage = await findWalDamage(file)
        // The region may be in two transactions, and the one behind it may be the torn last one.
        if (damage === undefined) expect(readRows(file)).toBeGreaterThanOrEqual(killed.rows - 3)
        await rm(dirname(file), { recursive: true })
      }),
      { numRuns: isFull ? 150 : 60 },
    )
  })

  it.each([
    ['missing', ['-wal']],
    ['missing', ['-wal', '-shm']],
    ['empty', []],
    ['empty', ['-shm']],
  ] as const)('is missed (%s, without %s)', async (state, without) => {
    const file = await killed.copy(state === 'empty' ? Buffer.alloc(0) : undefined, without)

    expect((await findWalDamage(file))?.sentence).toBe(
      `${file}-wal, the write-ahead log of the database, is ${state}. What was committed last is lost.`,
    )
  })

  it('is refused if it is an earlier one, or if its database is missing or empty', async () => {
    const sentence = async (log?: Buffer, without: readonly string[] = []) =>
      (await findWalDamage(await killed.copy(log, without)))?.sentence
    expect(await sentence(killed.earlierLog)).toContain('is not the one that was written last')
    expect(await sentence(killed.earlierLog, ['-shm', '.mark'])).toContain('is older than the database')
    expect(await sentence(undefined, [''])).toContain('dragoman.db, the database, is missing')
    const emptied = await killed.copy(undefined, ['-wal', '-shm', '.mark'])
    await truncate(emptied)
    expect((await findWalDamage(emptied))?.sentence).toContain('dragoman.db, the database, is empty')
  })

  it('is not missed where it was folded by any program, nor in a copy that SQLite makes', async () => {
    const file = await killed.copy()
    expect(readRows(file)).toBe(killed.rows)
    expect(await findWalDamage(file)).toBeUndefined()
    const running = new DatabaseSync(await killed.copy())
    const restored = await killed.copy(undefined, ['', '-wal', '-shm'])
    await backup(running, restored)
    running.close()
    expect(await findWalDamage(restored)).toBeUndefined()
  })

  it.each([
    ['a bad frame', (log: Buffer) => log.fill(0, startOf(5), startOf(6)), []],
    ['a cut end', (log: Buffer) => log.fill(0, startOf(5)), []],
    ['an earlier log', () => killed.earlierLog, []],
    ['no log', undefined, ['-wal', '-shm']],
    ['no database', undefined, ['']],
  ] as const)('is told, refused and accepted once: %s', async (_what, change, without) => {
    const file = await killed.copy(change?.(Buffer.from(killed.log)), without)
    const reports: string[] = []
    const open = async (acceptLoss: boolean) => {
      const opening = { migrations: [], agents: [], acceptLoss }
      const warn = (problem: string) => reports.push(problem)
      const stores = await openStores(dirname(file), { ...opening, warn })
      await stores.close()
    }
    const doctor = await runDoctor(['--home', dirname(file), '--port', '0'])

    expect(doctor.about('Database')).toMatchObject([expect.stringMatching(/^✗ .* lost|older/)])
    await expect(open(false)).rejects.toThrow(/Restore a backup, or start the server once with --accept-loss/)
    await open(true)
    expect(reports[1]).toBe(reports[0])
    await open(false)
    expect(reports).toHaveLength(2)
    expect(readRows(file)).toEqual(without.length === 1 ? undefined : expect.any(Number))
  })

  it('only loses its last transaction, and says so, if its last frame is torn', async () => {
    const file = await killed.copy(killed.log.subarray(0, startOf(killed.frames) - 100))
    const reports: string[] = []
    const warn = (problem: string) => reports.push(problem)
    for (let start = 0; start < 2; start += 1) {
      const stores = await openStores(dirname(file), { migrations: [], agents: [], acceptLoss: false, warn })
      await stores.close()
    }

    expect(reports).toEqual([expect.stringMatching(/What was committed last is lost\. A copy is kept in /)])
    expect(readRows(file)).toBe(killed.rows - 1)
  })
})

describe('the doctor', () => {
  it('changes nothing of what a killed server has left', async () => {
    const file = await killed.copy()
    const state = async () => {
      const names = (await readdir(dirname(file))).toSorted()
      const files = names.map(async (name) => {
        const path = join(dirname(file), name)
        return [name, (await stat(path)).mtimeMs, await readFile(path, 'base64')]
      })
      return Promise.all(files)
    }
    const before = await state()
    const { lines } = await runDoctor(['--home', dirname(file), '--port', '0'])

    expect(lines.join('\n')).toMatch(/dragoman\.db .* is intact/)
    expect(await state()).toEqual(before)
    await rm(`${file}-wal`)
    await runDoctor(['--home', dirname(file), '--port', '0'])
    expect(await state()).toEqual(before.filter(([name]) => name !== 'dragoman.db-wal'))
  })
})
