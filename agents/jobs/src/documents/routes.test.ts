import { beforeAll, describe, expect, it } from 'vitest'

import { openJobsDatabase, setUp } from '../jobs.fixture.ts'
import { defaultResume } from '../analytics/applications.fixture.ts'
import { documents } from './documents.ts'
import { sample, textOf } from './documents.fixture.ts'

describe('a resume as a file', () => {
  let world: Awaited<ReturnType<typeof setUp>>
  beforeAll(async () => {
    const database = await openJobsDatabase()
    world = await setUp({}, database)
    await world.db
      .insertInto('resumes')
      .values(defaultResume('李明/简历 (2026)', sample('hard')))
      .execute()
    return () => database.destroy()
  })

  it('is a PDF with its name and the replaced characters', async () => {
    const response = await world.app.request('/jobs/resumes/1/pdf?template=modern&paper=letter')

    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition':
        'attachment; filename="__ __ (2026).pdf"; ' +
        "filename*=UTF-8''%E6%9D%8E%E6%98%8E%20%E7%AE%80%E5%8E%86%20%282026%29.pdf",
      'x-content-type-options': 'nosniff',
    })
    expect(decodeURIComponent(response.headers.get('x-replaced-characters') ?? '')).toContain('🚀')
    expect((await textOf(new Uint8Array(await response.arrayBuffer())))[0]).toContain('李明')
  })

  it('is a DOCX', async () => {
    const response = await world.app.request('/jobs/resumes/1/docx')

    expect(response.headers.get('content-type')).toContain('wordprocessingml')
    expect(
      Buffer.from(await response.arrayBuffer())
        .subarray(0, 2)
        .toString(),
    ).toBe('PK')
  })

  it('limits the header with the replaced characters', async () => {
    const signs = String.fromCodePoint(...Array.from({ length: 500 }, (_, at) => 0x1f300 + at))
    const { id } = await world.db
      .insertInto('resumes')
      .values({ ...defaultResume('Signs', `# Ada\n\n${signs}`), is_default: 0 })
      .returning('id')
      .executeTakeFirstOrThrow()
    const response = await world.app.request(`/jobs/resumes/${id}/pdf`)

    expect(response.status).toBe(200)
    expect(Array.from(decodeURIComponent(response.headers.get('x-replaced-characters') ?? ''))).toHaveLength(
      100,
    )
  })
})

describe('documents', () => {
  it('refuses a text of more than 100,000 characters', async () => {
    const long = 'word '.repeat(40_000)

    await expect(documents().pdf('ada', long, { template: 'classic' })).rejects.toMatchObject({
      code: 'too-large',
      message: 'A document may have at most 100,000 characters',
    })
  })

  it('reads a text of half mail addresses in time', async () => {
    await expect(
      documents().docx('ada', `${'a.'.repeat(49_000)}@`, { template: 'classic' }),
    ).resolves.toBeDefined()
  })

  it('rejects when the caller aborts', async () => {
    const control = new AbortController()
    const made = documents().docx('ada', '# Ada', { template: 'classic' }, control.signal)
    control.abort(new Error('left'))

    await expect(made).rejects.toThrow('left')
    await expect(documents().pdf('ada', '# Ada', { template: 'classic' }, control.signal)).rejects.toThrow(
      'left',
    )
  })

  it('does not block the event loop', async () => {
    const began = performance.now()
    let longest = 0
    let last = began
    const beat = setInterval(() => {
      longest = Math.max(longest, performance.now() - last)
      last = performance.now()
    }, 1)

    const { bytes } = await documents().pdf('ada', sample('chinese').repeat(10), { template: 'modern' })
    clearInterval(beat)

    expect(bytes.byteLength).toBeGreaterThan(10_000)
    // All the work together takes several times as long.
    expect(longest).toBeLessThan((performance.now() - began) / 2)
  })
})
