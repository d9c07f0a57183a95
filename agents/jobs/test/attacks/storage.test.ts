import { beforeEach, describe, expect, it } from 'vitest'

import type { Json } from '../../../../packages/dragoman/src/index.ts'
import { configured } from '../../../../test/support/configured.ts'
import type { TestServer } from '../../../../test/support/server.ts'
import { bearer } from '../../../../test/support/users.ts'
import { rowsOfEveryTable } from '../../../../test/support/wire.ts'
import { jobs } from '../../src/index.ts'

const house = configured()
const ada = (method: string, path: string, body?: Json) => house.as('ada')(method, path, body)
const LONG = 'word '.repeat(38_000)
const WAYS = 30_000

describe('a user whose storage is full', () => {
  let server: TestServer
  beforeEach(async () => {
    ;({ server } = await house.open(
      { limits: { storageBytes: 435_000 } },
      { isOnDisk: true, agents: [jobs] },
    ))
    for (let n = 0; n < 6; n += 1) {
      const url = `https://acme.example/${n}`
      await ada('POST', '/jobs', { title: 'Engineer', company: 'Acme', url, description: 'Go.' })
    }
    const resume = await ada('POST', '/jobs/resumes', { content: '# Ada\n\nGo, Rust.', format: 'markdown' })
    const tailored = await ada('POST', '/jobs/tailor/1', { content: '# Ada\n\nRust, Go.' })
    expect([resume, tailored]).toMatchObject([{ status: 201 }, { status: 201 }])
  })

  const postPdf = async (): Promise<number> => {
    const form = new FormData()
    form.set('file', new File([`%PDF-1.7\n${' '.repeat(WAYS)}\n%%EOF\n`], 'a.pdf'))
    const headers = bearer(server.token('ada'))
    const response = await fetch(`${server.url}/jobs/tailor/1/pdf`, { method: 'POST', headers, body: form })
    return response.status
  }

  it('makes nothing larger on any way, and goes on once there is room', async () => {
    expect(await postPdf()).toBe(201)
    const all = await Promise.all(
      Array.from({ length: 5 }, (_, n) => ada('PATCH', `/jobs/${n + 1}`, { description: LONG })),
    )
    expect(all.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 413, 413, 413, 413])

    const more = 'x'.repeat(WAYS * 2)
    const before = await rowsOfEveryTable(server.home)
    for (const [method, path, body] of [
      ['PATCH', '/jobs/6', { description: more }],
      ['PUT', '/jobs/6', { notes: more.slice(0, 49_000) }],
      ['POST', '/jobs/6/touches', { kind: 'note', note: more.slice(0, 49_000) }],
      ['POST', '/jobs', { title: 'E', company: 'A', url: 'https://acme.example/9', description: more }],
      ['POST', '/jobs/resumes', { content: more, format: 'markdown' }],
      ['PATCH', '/jobs/resumes/1', { content: more }],
    ] as const) {
      const { status, json } = await ada(method, path, body)
      expect([method, path, status, json['code']]).toEqual([method, path, 413, 'storage-full'])
    }
    expect(await postPdf()).toBe(413)
    expect(await rowsOfEveryTable(server.home)).toEqual(before)

    expect((await ada('PATCH', '/jobs/6', { starred: true })).status).toBe(200)
    const large = all.findIndex(({ status }) => status === 200) + 1
    expect((await ada('PATCH', `/jobs/${large}`, { description: null })).status).toBe(200)
    await expect
      .poll(async () => (await ada('PATCH', '/jobs/6', { description: more })).status, { timeout: 10_000 })
      .toBe(200)
  })
})
