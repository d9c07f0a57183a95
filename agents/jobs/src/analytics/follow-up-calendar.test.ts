import { describe, expect, it } from 'vitest'

import { setUp } from '../jobs.fixture.ts'

describe('GET /jobs/calendar.ics', () => {
  it('has the follow-ups of the user, the next first, without closed applications', async () => {
    const { app, call } = await setUp()
    const add = async (title: string, user: string, changes: object): Promise<void> => {
      const url = `https://${title}.example/${user}`
      const { body } = await call('', { title, company: 'Acme; Sons', url }, user)
      const { id } = body['job'] as { id: number }
      await app.request(`/jobs/${id}`, {
        method: 'PATCH',
        headers: { 'x-user': user },
        body: JSON.stringify(changes),
      })
    }
    await add('later', 'ada', { status: 'applied', followUpAt: '2026-12-02T10:00:00Z' })
    await add('first', 'ada', { status: 'interviewing', followUpAt: '2026-12-01T10:00:00Z' })
    await add('closed', 'ada', { status: 'rejected', followUpAt: '2026-12-01T10:00:00Z' })
    await add('other', 'bob', { status: 'applied', followUpAt: '2026-12-01T10:00:00Z' })

    const response = await app.request('/jobs/calendar.ics', { headers: { 'x-user': 'ada' } })

    const calendar = await response.text()
    expect(response.headers.get('content-type')).toBe('text/calendar; charset=utf-8')
    expect(calendar.match(/^SUMMARY:.*(?=\r$)/gm)).toEqual([
      String.raw`SUMMARY:first — Acme\; Sons`,
      String.raw`SUMMARY:later — Acme\; Sons`,
    ])
    expect(calendar).toContain('DTSTART:20261201T100000Z')
    expect(calendar).toMatch(/^BEGIN:VCALENDAR\r\n[^]*END:VCALENDAR$/)
  })
})
