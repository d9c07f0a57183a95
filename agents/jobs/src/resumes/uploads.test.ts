import { describe, expect, it } from 'vitest'

import { setUp } from '../jobs.fixture.ts'
import { docxOf, pdfOf } from './files/files.fixture.ts'

type Answer = { readonly status: number; readonly body: Record<string, unknown> }

async function upload(
  bytes: Uint8Array | string,
  filename: string,
  fields: Readonly<Record<string, string>> = {},
): Promise<Answer & { rows: number }> {
  const { app, db } = await setUp()
  const form = new FormData()
  form.set('file', new File([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)], filename))
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  const response = await app.request('/jobs/resumes', { method: 'POST', body: form })
  const body = (await response.json()) as Record<string, unknown>
  const rows = await db.selectFrom('resumes').selectAll().execute()
  return { status: response.status, body, rows: rows.length }
}

const chinese = '张伟\n电话：13800138000\n\n【工作经历】\n腾讯 后端工程师 2019.07 - 至今\n• 重构订单系统\n'

describe('a file', () => {
  it.each([
    [
      'C:\\Papers\\简历.docx',
      'pdf_upload',
      () =>
        pdfOf((page) =>
          page.font('han').text('张伟').text('工作经历').text('腾讯 后端工程师 2019.07 - 至今'),
        ),
    ],
    ['简历.pdf', 'docx_upload', () => docxOf(['# 张伟', '## 工作经历', '腾讯 后端工程师 2019.07 - 至今'])],
    ['简历.bin', 'paste', () => Promise.resolve(chinese)],
  ])('is what its bytes say: %s is a %s', async (name, source, bytes) => {
    const { status, body } = await upload(await bytes(), name)

    expect(status).toBe(201)
    expect(body['resume']).toMatchObject({
      name: '简历',
      source,
      language: 'zh',
      parseStatus: 'success',
      originalFilename: name.split('\\').at(-1),
      content: expect.stringMatching(/^(# )?张伟[^]*## 工作经历\n\n腾讯 后端工程师/),
    })
  })

  it('has a name and a place among the others, if they are given', async () => {
    const { body } = await upload(chinese, 'a.txt', { name: '长版', isDefault: 'true' })

    expect(body['resume']).toMatchObject({ name: '长版', isDefault: true })
  })

  it.each<[string, Uint8Array | string, string]>([
    ['empty', '', 'file is empty'],
    ['blank', ' \n ', 'file is empty'],
    [
      'a picture',
      new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10]),
      'The file is a picture: send the resume as PDF, DOCX or text',
    ],
    [
      'an old Word file',
      new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1]),
      'The file is an old or protected Word file: save it as an unprotected .docx or as PDF',
    ],
    ['bytes', new Uint8Array([0xff, 0, 1, 0xfe, 0x80]), 'The file is neither PDF nor DOCX nor text in UTF-8'],
    ['half a zip', 'PK\x03\x04 and no more', 'The DOCX cannot be read: it is damaged'],
    ['no PDF inside', '%PDF-1.7\nnothing', 'The PDF cannot be read: it is damaged or no PDF'],
  ])('is refused where it is %s', async (_, bytes, error) => {
    expect(await upload(bytes, 'a.pdf')).toMatchObject({ status: 400, body: { error }, rows: 0 })
  })

  it('is refused where it is too large, before it is read', async () => {
    const { status, body } = await upload(new Uint8Array(29_000_000), 'a.pdf')

    expect([status, body['error']]).toEqual([
      413,
      'A resume may have at most 1 MB of text, or 20 MB as PDF or DOCX',
    ])
  })

  it('may be the new text of a resume', async () => {
    const { app, call } = await setUp()
    await call('/resumes', { content: '# Old' })
    const form = new FormData()
    form.set('file', new File([chinese], 'new.txt'))

    const response = await app.request('/jobs/resumes/1', {
      method: 'PUT',
      headers: { 'x-user': 'ada' },
      body: form,
    })

    expect(await response.json()).toMatchObject({
      resume: { version: 2, originalFilename: 'new.txt', language: 'zh' },
    })
  })
})

describe('the status', () => {
  it('says that a scan has no text; the text can be put in by hand', async () => {
    const { app, call } = await setUp()
    const scan = await pdfOf((page) => page.rect(50, 50, 200, 200).fill())
    await call('/resumes', {
      format: 'pdf',
      filename: 'scan.pdf',
      content: Buffer.from(scan).toString('base64'),
    })

    expect((await call('/resumes/1/status')).body).toEqual({
      parse_status: 'partial',
      errors: [expect.stringContaining('scanned image')],
    })
    await app.request('/jobs/resumes/1', {
      method: 'PUT',
      headers: { 'x-user': 'ada' },
      body: JSON.stringify({ content: '# Ada\n\n## Skills\n\nGo' }),
    })
    expect((await call('/resumes/1/status')).body).toEqual({ parse_status: 'success', errors: [] })
    expect((await call('/resumes/1/versions/1/restore', {})).body).toMatchObject({
      error: 'Version 1 has no text to restore',
    })
  })
})
