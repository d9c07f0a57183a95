import { copyFile, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

import { assert, asyncProperty, integer } from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { createTempDir } from '../../../../test/support/create-temp-dir.ts'
import { findWalDamage } from './find-wal-damage.ts'
import { checkWal } from './write-ahead-log.ts'

const FRAME_BYTES = 24 + 4096
const TRANSACTIONS = 20

/** Rows that SQLite reads from a copy: it drops frames from the first bad one on. */
function rowsOf(file: string): number {
  using sqlite = new DatabaseSync(file)
  return Number(sqlite.prepare('SELECT count(*) AS n FROM t').get()?.['n'])
}

describe('a write-ahead log', () => {
  let folder = ''
  let file = ''
  let wal: Buffer
  let copies = 0
  /** A copy of the files whose log `change` has changed. */
  const changed = async (change: (log: Buffer) => void, bytes = wal.length): Promise<string> => {
    const copy = join(folder, `copy-${(copies += 1)}.db`)
    const log = Buffer.from(wal)
    change(log)
    await copyFile(file, copy)
    await writeFile(`${copy}-wal`, log)
    await truncate(`${copy}-wal`, bytes)
    return copy
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dragoman-wal-'))
    file = join(folder, 'whole.db')
    const sqlite = new DatabaseSync(file)
    sqlite.exec('PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE t (a TEXT) STRICT')
    // An earlier log stands behind the end of the one that counts.
    for (let n = 0; n < 40; n += 1) sqlite.prepare('INSERT INTO t VALUES (?)').run('x'.repeat(5000))
    sqlite.exec('DELETE FROM t; PRAGMA wal_checkpoint(RESTART)')
    for (let n = 0; n < TRANSACTIONS; n += 1) sqlite.prepare('INSERT INTO t VALUES (?)').run('y'.repeat(2000))
    wal = await readFile(`${file}-wal`)
    await copyFile(file, `${file}.copy`)
    sqlite.close()
    await copyFile(`${file}.copy`, file)
  })

  afterAll(() => rm(folder, { recursive: true }))

  it('has no damage if it is whole, is empty or does not exist', async () => {
    expect(await findWalDamage(await changed(() => undefined))).toBeUndefined()
    expect(await findWalDamage(await changed(() => undefined, 0))).toBeUndefined()
    expect(await findWalDamage(join(await createTempDir(), 'none.db'))).toBeUndefined()
  })

  it('has no damage if it ends anywhere', async () => {
    await assert(
      asyncProperty(integer({ min: 0, max: wal.length }), async (bytes) => {
        expect(await findWalDamage(await changed(() => undefined, bytes))).toBeUndefined()
      }),
      { numRuns: 30 },
    )
  })

  it('loses nothing more than its last transaction in silence, whichever bit is wrong', async () => {
    await assert(
      asyncProperty(integer({ min: 0, max: wal.length * 8 - 1 }), async (bit) => {
        const copy = await changed((log) => {
          const byte = Math.floor(bit / 8)
          log[byte] = (log[byte] ?? 0) ^ (1 << (bit % 8))
        })
        const damage = await findWalDamage(copy)
        const rows = (() => {
          try {
            return rowsOf(copy)
          } catch {
            return 0
          }
        })()

        if (damage === undefined) expect(rows).toBeGreaterThanOrEqual(TRANSACTIONS - 1)
      }),
      { numRuns: 100 },
    )
  })

  it('is damaged if a frame in its middle is, and says what is lost', async () => {
    const copy = await changed((log) =>
      log.writeUInt8(log.readUInt8(32 + 5 * FRAME_BYTES + 100) ^ 1, 32 + 5 * FRAME_BYTES + 100),
    )
    const damage = await findWalDamage(copy)

    expect(damage?.sentence.replace(copy, 'x.db')).toMatch(
      /^x\.db-wal, the write-ahead log .* is damaged in frame 6\. .* lost: \d+ frames of \d+ transactions\.$/,
    )
    const log = await readFile(`${copy}-wal`)
    const warnings: string[] = []
    await expect(checkWal(copy, { acceptLoss: false, warn: (each) => warnings.push(each) })).rejects.toThrow(
      /--accept-loss/,
    )
    await checkWal(copy, { acceptLoss: true, warn: (each) => warnings.push(each) })
    const [, kept = ''] = /A copy is kept in (.*)\.$/.exec(warnings[0] ?? '') ?? []
    expect(await readFile(kept)).toEqual(log)
    expect(warnings[1]).toBe(warnings[0])
    expect(await findWalDamage(copy)).toBeUndefined()
    expect(rowsOf(copy)).toBeLessThan(TRANSACTIONS)
  })

  it.each([
    ['the magic number', 0],
    ['the size of a page', 9],
    ['a salt', 17],
    ['the checksum', 25],
  ])('is damaged if %s of its header is', async (_what, at) => {
    const copy = await changed((log) => log.writeUInt8(log.readUInt8(at) ^ 4, at))

    expect((await findWalDamage(copy))?.sentence).toContain('is damaged in its header')
  })

  it('has no damage if its last transaction is torn, in whatever order it was written', async () => {
    const sqlite = new DatabaseSync(join(await createTempDir(), 'torn.db'))
    sqlite.exec('PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE t (a TEXT) STRICT')
    const { file: path } = sqlite.prepare('PRAGMA database_list').get() as { file: string }
    const before = (await readFile(`${path}-wal`)).length
    sqlite.prepare('INSERT INTO t VALUES (?)').run('z'.repeat(20_000))
    const log = await readFile(`${path}-wal`)
    log.fill(7, before + 30, before + 60)
    await writeFile(`${path}.copy-wal`, log)
    await copyFile(path, `${path}.copy`)
    sqlite.close()

    expect(await findWalDamage(`${path}.copy`)).toBeUndefined()
  })
})
