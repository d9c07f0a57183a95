import mammoth from 'mammoth'
import { extractText, getDocumentProxy } from 'unpdf'
import { describe, expect, it } from 'vitest'

import { answer, DISHONEST, HONEST, setUpTailoring } from './tailoring.fixture.ts'

const PDF = '%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n'

async function withVersion() {
  const set = await setUpTailoring([answer(HONEST)])
  await set.send('POST', '/tailor/1', {})
  const as = { 'x-user': 'ada' }
  const upload = async (file: File | string, path = '/tailor/1/pdf') => {
    const form = new FormData()
    form.set('file', file)
    const response = await set.app.request(`/jobs${path}`, { method: 'POST', headers: as, body: form })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  return { ...set, upload, get: async (path: string) => set.app.request(path, { headers: as }) }
}

describe('GET /jobs/tailor/:jobId/pdf', () => {
  it('renders the latest version, or the one that is named', async () => {
    const { send, get } = await withVersion()
    await send('PUT', '/tailor/1', { content: DISHONEST })

    const latest = await get('/jobs/tailor/1/pdf?template=modern')
    expect(Object.fromEntries(latest.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': expect.stringContaining('filename="Ada Park - Acme.pdf"'),
      'x-open-marks': '1',
    })
    expect(await textOf(latest)).toContain('Rust')

    const first = await get('/jobs/tailor/1/pdf?version=1&resumeId=1&paper=letter')
    expect(first.headers.get('x-open-marks')).toBe('0')
    const text = await textOf(first)
    expect(text).toContain('Northwind Payments')
    expect(text).not.toContain('Rust')
  })

  it('gives a file of Word, too', async () => {
    const { get } = await withVersion()
    const response = await get('/jobs/tailor/1/docx')
    const { value } = await mammoth.extractRawText({ buffer: Buffer.from(await response.arrayBuffer()) })

    expect(response.headers.get('content-disposition')).toContain('filename="Ada Park - Acme.docx"')
    expect(value).toContain('Northwind Payments')
  })
})

describe('POST /jobs/tailor/:jobId/pdf', () => {
  it('keeps a PDF, and gives it back as a file to be kept', async () => {
    const { upload, get } = await withVersion()

    const { status, body } = await upload(new File([PDF], '../简历 "final".PDF'))

    expect(status).toBe(201)
    expect(body).toEqual({
      filename: '简历 final.pdf',
      size: PDF.length,
      url: `/jobs/tailor/1/versions/1/files/${encodeURIComponent('简历 final.pdf')}`,
    })
    const response = await get(String(body['url']))
    expect(await response.text()).toBe(PDF)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': expect.stringMatching(/^attachment; /),
      'x-content-type-options': 'nosniff',
    })
  })

  it('replaces the one of the same name', async () => {
    const { upload, db } = await withVersion()
    await upload(new File([PDF], 'a.pdf'))
    await upload(new File([`${PDF}% more\n`], 'a.pdf'))

    expect(await db.selectFrom('tailored_files').select(['filename', 'type']).execute()).toEqual([
      { filename: 'a.pdf', type: 'application/pdf' },
    ])
  })

  it.each([
    ['what is no PDF', new File(['<script>alert(1)</script>'], 'a.pdf'), 400, 'file must be a PDF'],
    ['half a PDF', new File([PDF.slice(0, 30)], 'a.pdf'), 400, 'file must be a PDF'],
    ['a text', 'a.pdf', 400, 'file is required'],
  ])('refuses %s', async (_what, file, status, error) => {
    const { upload, db } = await withVersion()

    expect(await upload(file)).toMatchObject({ status, body: { error } })
    expect(await db.selectFrom('tailored_files').select('filename').execute()).toEqual([])
  })

  it('refuses what is too large, what is no form, and what has no version', async () => {
    const { upload, send } = await withVersion()
    const large = new File(['%PDF-', new Uint8Array(20 * 1024 * 1024 + 1)], 'a.pdf')

    expect(await upload(large)).toMatchObject({ status: 413, body: { error: 'file may have at most 20 MB' } })
    expect(await send('POST', '/tailor/1/pdf', {})).toMatchObject({ status: 400 })
    expect(await upload(new File([PDF], 'a.pdf'), '/tailor/1/pdf?version=4')).toMatchObject({ status: 404 })
  })
})

async function textOf(response: Response): Promise<string> {
  const pdf = await getDocumentProxy(new Uint8Array(await response.arrayBuffer()))
  return (await extractText(pdf, { mergePages: true })).text
}
