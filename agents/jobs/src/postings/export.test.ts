import { setTimeout } from 'node:timers/promises'

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { setUp } from '../jobs.fixture.ts'
import { createRoomyLoad, usedOf } from '../../../../packages/dragoman/src/server/load/load.fixture.ts'
import { csvLine } from './csv.ts'
import { send } from './postings.fixture.ts'

/** What RFC 4180 makes of a text. */
function cellsOf(text: string): readonly (readonly string[])[] {
  const lines: string[][] = [[]]
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/gy
  for (let found = cell.exec(text); found && found.index < text.length; found = cell.exec(text)) {
    lines.at(-1)?.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? '')
    if (found[3] === '\r\n') lines.push([])
  }
  return lines.filter((line) => line.length > 0)
}

describe('a line of CSV', () => {
  it.each([
    [['a', 1, true, null, undefined], 'a,1,true,,\r\n'],
    [['a,b', 'say "x"', 'two\nlines'], '"a,b","say ""x""","two\nlines"\r\n'],
    [['=1+1', '+1', '-1', '@x', '\tx', '＝1', ' =1'], "'=1+1,'+1,'-1,'@x,'\tx,'＝1,' =1\r\n"],
    [[-1], '-1\r\n'],
  ])('of %j is %j', (cells, line) => {
    expect(csvLine(cells)).toBe(line)
  })

  it('is read back unchanged', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom('a', '"', ',', '\r', '\n', '中', '=', ' ') }), {
          minLength: 2,
        }),
        (cells) => {
          const [read = []] = cellsOf(csvLine(cells))
          expect(read.map((cell) => cell.replace(/^'/, ''))).toEqual(cells)
        },
      ),
    )
  })
})

describe('GET /jobs/export', () => {
  async function filled() {
    const { app, call } = await setUp()
    for (let n = 1; n <= 205; n += 1) {
      await call('', {
        title: n === 3 ? '=HYPERLINK("x")' : `工程师 ${n}`,
        company: 'Acme',
        url: `https://a.example/${n}`,
      })
    }
    await send(app, 'PATCH /2', { status: 'applied', notes: 'One,\n"two"', contacts: [{ name: 'Mina' }] })
    await call('/2/touches', { kind: 'call', at: '2026-11-02', note: 'Friday' })
    await call('', { title: 'Hers', company: 'x', url: 'https://a.example/1' }, 'eve')
    return app
  }

  it('exports all of the user’s postings as JSON', async () => {
    const app = await filled()
    const response = await app.request('/jobs/export')

    expect(response.headers.get('content-disposition')).toMatch(
      /^attachment; filename="jobs-\d{4}-\d\d-\d\d\.json"$/,
    )
    const { jobs } = (await response.json()) as { jobs: { id: number }[] }
    expect(jobs.map(({ id }) => id)).toEqual(Array.from({ length: 205 }, (_none, at) => at + 1))
    expect(jobs[1]).toMatchObject({
      status: 'applied',
      notes: 'One,\n"two"',
      contacts: [{ name: 'Mina' }],
      history: [{ to: 'inbox' }, { from: 'inbox', to: 'applied' }],
      touches: [{ kind: 'call', note: 'Friday' }],
    })
  })

  it('exports CSV without formulas', async () => {
    const app = await filled()
    const response = await app.request('/jobs/export?format=csv')
    const bytes = new Uint8Array(await response.arrayBuffer())
    const [head = [], ...lines] = cellsOf(new TextDecoder().decode(bytes))

    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(Array.from(bytes.slice(0, 3))).toEqual([0xef, 0xbb, 0xbf])
    expect(lines).toHaveLength(205)
    expect(new Set(lines.map((line) => line.length))).toEqual(new Set([head.length]))
    const cell = (line: number, name: string): string | undefined => lines[line]?.[head.indexOf(name)]
    expect([cell(0, 'title'), cell(2, 'title')]).toEqual(['工程师 1', '\'=HYPERLINK("x")'])
    expect([cell(1, 'notes'), cell(1, 'contacts')]).toEqual(['One,\n"two"', 'Mina'])
    expect(cell(1, 'touches')).toBe('2026-11-02T00:00:00.000Z call Friday')
  })

  it.each(['json', 'csv'])('makes %s only in one of its user’s places for large reads', async (format) => {
    const load = createRoomyLoad({ expensiveReadsPerUser: 1 })
    const { app, call } = await setUp({}, undefined, load)
    await call('', {
      title: 'x',
      company: 'y',
      url: 'https://a.example/1',
      description: 'long '.repeat(40_000),
    })
    const place = load.share({ userId: 'ada' }).take('expensiveReads')
    let isDone = false
    const response = Promise.resolve(app.request(`/jobs/export?format=${format}`)).finally(
      () => (isDone = true),
    )

    await setTimeout(200)
    expect(isDone).toBe(false)
    place.release()
    const text = await (await response).text()
    expect(text.length).toBeGreaterThan(200_000)
    expect(usedOf(load, 'expensiveReads')).toBe(0)
  })

  it('exports nothing for a new user, and refuses other formats', async () => {
    const { app } = await setUp()

    expect(await send(app, 'GET /export?format=json')).toEqual({ status: 200, body: { jobs: [] } })
    expect(await send(app, 'GET /export?format=xml')).toMatchObject({
      status: 400,
      body: { error: 'format must be one of: json, csv' },
    })
  })

  it('ends when its reader leaves', async () => {
    const app = await filled()
    const reader = (await app.request('/jobs/export')).body?.getReader()
    await reader?.read()

    await expect(reader?.cancel()).resolves.toBeUndefined()
    expect((await send(app, 'GET /stats')).status).toBe(200)
  })

  it('breaks off after an error, which is only reported to the server', async () => {
    const reports: unknown[] = []
    const { app, db } = await setUp({ report: (error) => reports.push(error) })
    for (let n = 1; n <= 101; n += 1)
      await send(app, 'POST ', { title: 'x', company: `y${n}`, url: `https://a.example/${n}` })
    await db.updateTable('jobs').set({ tags: 'not JSON' }).where('id', '=', 101).execute()

    await expect((await app.request('/jobs/export')).text()).rejects.toThrow()
    expect(reports).toHaveLength(1)
  })
})
