import { describe, expect, it, onTestFinished, vi } from 'vitest'

import { setUp } from '../jobs.fixture.ts'

type Body = Record<string, unknown>
type RequestLine = [method: string, path: string, body?: unknown, user?: string]
type Ask = (...asked: RequestLine) => Promise<{ status: number; body: Body }>

async function door(): Promise<{ ask: Ask; db: Awaited<ReturnType<typeof setUp>>['db'] }> {
  const { app, db } = await setUp()
  const ask: Ask = async (method, path, body, user = 'ada') => {
    const response = await app.request(`/jobs/resumes${path}`, {
      method,
      headers: { 'x-user': user },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: (await response.json()) as Body }
  }
  return { ask, db }
}

const text =
  '# Ada Lovelace\n\nada@example.com\n\n## Experience\n\n### Engineer @ Acme\n\n2020-03 – Present\n\n- Wrote it'
const resume = { name: 'Short', content: text, format: 'markdown' }

describe('POST /jobs/resumes', () => {
  it('keeps a resume, and makes the first one the default', async () => {
    const { ask } = await door()

    const first = await ask('POST', '', resume)
    const second = await ask('POST', '', { content: text })

    expect(first.status).toBe(201)
    expect(first.body['resume']).toMatchObject({
      id: 1,
      name: 'Short',
      content: text,
      language: 'en',
      isDefault: true,
      useCount: 0,
      version: 1,
      source: 'paste',
      parseStatus: 'success',
      parseErrors: [],
    })
    expect(second.body['resume']).toMatchObject({ name: 'Ada Lovelace', isDefault: false })
  })

  it('takes a JSON Resume, and gives it back whole', async () => {
    const { ask } = await door()
    const data = {
      basics: {
        name: '张伟',
        image: 'https://a.example/i.png',
        location: { city: '上海' },
        'x-politicalStatus': '党员',
      },
      work: [{ name: '云帆科技', position: '后端工程师', startDate: '2021-03', highlights: ['重构'] }],
    }

    const { body } = await ask('POST', '', { format: 'json', content: JSON.stringify({ ...data, hobby: 1 }) })

    expect(body['resume']).toMatchObject({
      language: 'zh',
      source: 'json_resume',
      parseStatus: 'partial',
      parseErrors: ['JSON Resume has no field "hobby": it is left out.'],
      content: expect.stringContaining(
        '## 工作经历\n\n### 后端工程师 @ 云帆科技\n\n2021-03 – 至今\n\n- 重构',
      ),
    })
    expect((await ask('GET', '/1/json')).body).toEqual(data)
  })
})

describe('GET /jobs/resumes', () => {
  it('lists page by page, the last changed first, with texts', async () => {
    const { ask } = await door()
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    for (const name of ['a', 'b', 'c', 'd', 'e']) await ask('POST', '', { ...resume, name })
    vi.setSystemTime(Date.now() + 1)
    await ask('PATCH', '/2', { name: 'b2' })

    const names: unknown[] = []
    let query: string | undefined = '?limit=2'
    while (query !== undefined) {
      const { body } = await ask('GET', query)
      const page = body as { resumes: Body[]; nextCursor?: string }
      names.push(...page.resumes.map(({ name }) => name))
      expect(page.resumes.every(({ content }) => String(content).startsWith('#'))).toBe(true)
      query = page.nextCursor && `?limit=2&cursor=${page.nextCursor}`
    }

    expect(names).toEqual(['b2', 'e', 'd', 'c', 'a'])
  })
})

describe('a change', () => {
  it('of the text makes a version; the same text and another name make none', async () => {
    const { ask } = await door()
    await ask('POST', '', resume)

    await ask('PATCH', '/1', { name: 'Long' })
    await ask('PUT', '/1', { content: text })
    const { body } = await ask('PUT', '/1', { content: '# 张伟\n\n## 专业技能\n\n- Go、Java' })

    expect(body['resume']).toMatchObject({ name: 'Long', version: 2, language: 'zh', source: 'paste' })
    expect((await ask('GET', '/1/json')).body).toMatchObject({ skills: [{ name: 'Go' }, { name: 'Java' }] })
    expect((await ask('GET', '/1/versions')).body).toMatchObject({
      versions: [{ version: 2 }, { version: 1 }],
    })
    const { nextCursor } = (await ask('GET', '/1/versions?limit=1')).body as { nextCursor?: string }
    const next = await ask('GET', `/1/versions?cursor=${nextCursor}`)
    expect(next.body).toMatchObject({ versions: [{ version: 1 }] })
  })

  it('can be taken back, by which nothing is lost', async () => {
    const { ask } = await door()
    await ask('POST', '', resume)
    await ask('PUT', '/1', { content: '# Other' })

    expect((await ask('GET', '/1/versions/1')).body).toMatchObject({ version: { content: text } })
    const { body } = await ask('POST', '/1/versions/1/restore')

    expect(body['resume']).toMatchObject({ version: 3, content: text })
    expect((await ask('GET', '/1/versions/2')).body).toMatchObject({ version: { content: '# Other' } })
    expect((await ask('POST', '/1/versions/9/restore')).body).toMatchObject({ error: 'Version not found' })
  })

  it('does not write over a version that its author has not seen', async () => {
    const { ask } = await door()
    await ask('POST', '', resume)
    await ask('PUT', '/1', { content: '# Other', version: 1 })

    expect(await ask('PUT', '/1', { content: '# Mine', version: 1 })).toMatchObject({
      status: 409,
      body: { error: 'The resume has changed meanwhile: it is at version 2' },
    })
  })
})

describe('the default', () => {
  it('is always one: it is handed over, and on when it is deleted', async () => {
    const { ask, db } = await door()
    for (const name of ['a', 'b', 'c']) await ask('POST', '', { ...resume, name })
    const defaults = async (): Promise<number[]> => {
      const rows = await db.selectFrom('resumes').select('id').where('is_default', '=', 1).execute()
      return rows.map(({ id }) => id)
    }

    await ask('POST', '/2/set-default')
    expect(await defaults()).toEqual([2])
    await ask('PATCH', '/1', { isDefault: true })
    expect(await defaults()).toEqual([1])
    expect((await ask('DELETE', '/1')).body).toEqual({ success: true })
    expect(await defaults()).toEqual([3])
    await ask('POST', '', { ...resume, isDefault: true })
    expect(await defaults()).toEqual([4])
  })
})

describe('a resume', () => {
  it('is really gone when it is deleted, with its versions', async () => {
    const { ask, db } = await door()
    await ask('POST', '', resume)
    await ask('PUT', '/1', { content: '# Other' })

    await ask('DELETE', '/1')

    expect(await db.selectFrom('resumes').selectAll().execute()).toEqual([])
    expect(await db.selectFrom('resume_versions').selectAll().execute()).toEqual([])
    expect((await ask('DELETE', '/1')).status).toBe(404)
  })
})
