import { describe, expect, it } from 'vitest'

import type { Json } from 'dragoman/events'
import { emptyDatabase, setUp, jobsModule } from '../jobs.fixture.ts'
import { readConfigured } from './configured.ts'
import { sources } from './sources.ts'
import { stoppedClock } from './sources.fixture.ts'

const board = { kind: 'lever', board: 'acme', schedule: '0 8 * * * UTC' }
const mail = { kind: 'mail', host: 'imap.example.com', user: 'ada', password: 'hunter2' }

describe('sources in config.yaml', () => {
  it('belong to the local user, and can be neither changed nor removed', async () => {
    const { app, call } = await setUp({ settings: { sources: [board, mail] } })

    const { body } = await call('/sources', undefined, 'local')

    expect(body).toMatchObject({
      sources: [
        { id: 1, kind: 'lever', configured: true },
        { id: 2, kind: 'mail', configured: true },
      ],
    })
    expect(JSON.stringify(body)).not.toContain('hunter2')
    expect((await call('/sources')).body).toEqual({ sources: [] })
    for (const method of ['PATCH', 'DELETE']) {
      const init = { method, headers: { 'x-user': 'local' }, ...(method === 'PATCH' && { body: '{}' }) }
      const answer = await app.request('/jobs/sources/1', init)
      expect([answer.status, await answer.json()]).toEqual([
        403,
        { error: 'This source stands in config.yaml and can only be changed there.', code: 'forbidden' },
      ])
    }
  })

  it('survive restarts with their position, and are deleted when config.yaml drops them', async () => {
    const database = await emptyDatabase()
    const clock = stoppedClock('2026-11-22T07:00:00Z')
    const restarted = (named: Json) => sources(database, readConfigured(named), clock)
    const [first] = await restarted([board, mail]).list('local')
    clock.pass(2 * 60)

    const all = await restarted([
      { ...board, name: 'Acme' },
      { ...mail, password: 'changed' },
    ]).list('local')

    expect(all.map(({ id, name, secret }) => [id, name, secret])).toEqual([
      [1, 'Acme', null],
      [2, 'ada, INBOX', 'changed'],
    ])
    // It was due at eight, and nobody has synced it.
    expect(all[0]?.dueAt).toBe(first?.dueAt)
    expect(await restarted([mail]).list('local')).toMatchObject([{ id: 2 }])
    expect(
      JSON.stringify(
        await database
          .selectFrom('job_sources' as never)
          .selectAll()
          .execute(),
      ),
    ).not.toContain('changed')
  })

  it.each<[Json, string]>([
    [{}, 'sources must be a list'],
    [['x'], 'sources[0] must be an object'],
    [[board, { kind: 'mail', user: 'ada', password: 'x' }], 'sources[1].host is required'],
    [[{ ...board, schedule: '* * * * *' }], 'sources[0].schedule must leave at least 15 minutes between'],
    [[{ kind: 'monster' }], /^sources\[0\]\.kind must be one of/ as never],
    [[board, { ...board, board: 'ACME' }], 'sources[1] names the same as an entry before it'],
  ])('%j is refused at the start: %s', async (named, message) => {
    const db = await emptyDatabase()

    expect(() => jobsModule(db, { settings: { sources: named } })).toThrow(message)
  })
})
