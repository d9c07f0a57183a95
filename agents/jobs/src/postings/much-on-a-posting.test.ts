import { beforeEach, describe, expect, it } from 'vitest'

import { setUp } from '../jobs.fixture.ts'

let made: Awaited<ReturnType<typeof setUp>>

beforeEach(async () => {
  made = await setUp()
  await made.call('', { title: 'Engineer', company: 'Acme', url: 'https://acme.example/1' })
})

async function changeStatus(status: string) {
  const response = await made.app.request('/jobs/1', { method: 'PATCH', body: JSON.stringify({ status }) })
  return { status: response.status, body: await response.json() }
}

const history = () => made.db.selectFrom('job_status_history').selectAll().orderBy('changed_at').execute()

function addToHistory(...times: readonly string[]) {
  const rows = times.map((changed_at) => {
    return { job_id: 1, old_status: 'applied' as const, new_status: 'inbox' as const, changed_at }
  })
  return made.db.insertInto('job_status_history').values(rows).execute()
}

describe('a change of a status', () => {
  it('writes its own row and the one before it', async () => {
    for (const status of ['applied', 'rejected', 'inbox']) await changeStatus(status)
    await made.db
      .updateTable('job_status_history')
      .set({ stayed_days: 7777 })
      .where('left_at', 'is not', null)
      .execute()
    await changeStatus('applied')
    const rows = await history()
    expect(rows.map(({ stayed_days: days }) => days === 7777)).toEqual([true, true, true, false, false])
    expect(rows.map(({ left_at }) => left_at)).toEqual([
      ...rows.slice(1).map(({ changed_at }) => changed_at),
      null,
    ])
  })

  it('stands in the order of time, also where it is put in late', async () => {
    await made.db.deleteFrom('job_status_history').execute()
    const [first, second, third] = ['2026-01-01', '2026-01-03', '2026-01-09'].map(
      (day) => `${day}T00:00:00.000Z`,
    )
    for (const at of [third, first, second]) await addToHistory(at ?? '')
    expect(
      (await history()).map(({ left_at: end, stayed_days: days }) => [end, days && Math.round(days)]),
    ).toEqual([
      [second, 2],
      [third, 6],
      [null, null],
    ])
  })

  it('is refused after a thousand', async () => {
    await addToHistory(...Array.from({ length: 998 }, (_, n) => new Date(n).toISOString()))
    expect(await changeStatus('applied')).toMatchObject({ status: 200 })
    expect(await changeStatus('rejected')).toEqual({
      status: 409,
      body: { code: 'conflict', error: 'A posting may have at most 1,000 changes of its status.' },
    })
    expect(await changeStatus('applied')).toMatchObject({ status: 200 })
  })
})

describe('the contacts of a posting', () => {
  const touch = (note = '') => made.call('/1/touches', { kind: 'note', note })
  const put = (count: number, note = '') => {
    const rows = Array.from({ length: count }, (_, n) => {
      return { job_id: 1, kind: 'note', at: new Date(n).toISOString(), note }
    })
    return made.db.insertInto('job_touches').values(rows).execute()
  }

  it('are at most a thousand', async () => {
    await put(999)
    expect((await touch()).status).toBe(201)
    expect(await touch()).toMatchObject({
      status: 409,
      body: { error: 'A posting may have at most 1,000 contacts.' },
    })
  })

  it('have notes of a million characters together', async () => {
    await put(10, 'x'.repeat(99_999))
    expect((await touch('0123456789')).status).toBe(201)
    expect(await touch('x')).toMatchObject({
      status: 409,
      body: { error: "The notes of a posting's contacts may have at most 1,000,000 characters." },
    })
    expect((await touch()).status).toBe(201)
  })
})
