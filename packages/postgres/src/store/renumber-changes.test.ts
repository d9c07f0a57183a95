import { describe, expect, it } from 'vitest'

import { newRun } from '../../../dragoman/src/log/store.contract.ts'
import { openPostgres } from '../index.ts'
import { createTestDatabase, hasServer } from '../postgres.fixture.ts'

describe.runIf(hasServer)('a dump that was restored on another server', () => {
  it('gives all changes after the cursors of its readers', async () => {
    const { url, query, drop } = await createTestDatabase()
    const before = await openPostgres(url)
    for (const id of ['run_1', 'run_2', 'run_3']) await before.store.create(newRun(id), 'queue')
    await before.close()
    // The numbers of the other server were higher, and a reader had seen two of the runs.
    await query(`UPDATE run_states SET changed = (changed::text::bigint + 9000000000)::text::xid8`)
    await query(
      `INSERT INTO projections SELECT 'messages', changed::text::bigint FROM run_states WHERE num = 2`,
    )

    const nodes = await Promise.all([openPostgres(url), openPostgres(url)])

    const [{ store }] = nodes
    const cursors: unknown[] = []
    await query('SELECT cursor FROM projections', (row) => cursors.push(row))
    expect(cursors).toEqual([{ cursor: '2' }])
    await store.create(newRun('run_4'), 'queue')
    const ids = async (after?: string) => (await store.changed(after, 10)).runs.map(({ id }) => id)
    await expect.poll(() => ids()).toEqual(['run_1', 'run_2', 'run_3', 'run_4'])
    expect(await ids('2')).toEqual(['run_3', 'run_4'])
    await Promise.all(nodes.map(({ close }) => close()))
    await drop()
  })
  it('is not changed if a newer version has changed its tables', async () => {
    const { url, query, drop } = await createTestDatabase()
    const before = await openPostgres(url)
    await before.store.create(newRun('run_1'), 'queue')
    await before.close()
    await query(`UPDATE run_states SET changed = '9000000000'`)
    await query(`INSERT INTO schema_migrations (name, applied_at) VALUES ('threads-99-future', '2030')`)

    await expect(openPostgres(url)).rejects.toMatchObject({ code: 'unavailable' })

    const numbers: unknown[] = []
    await query('SELECT changed::text FROM run_states', (row) => numbers.push(row))
    expect(numbers).toEqual([{ changed: '9000000000' }])
    await drop()
  })
})
