import { deflateRawSync, deflateSync } from 'node:zlib'

import { describe, expect, it } from 'vitest'

import { documents } from '../../documents/documents.ts'
import { docxOf, pdfOf } from './files.fixture.ts'
import { readDocx } from './read-docx.ts'
import { readPdf } from './read-pdf.ts'
import { readResumeInWorker } from './read-resume-in-worker.ts'

describe('a PDF', () => {
  it('becomes Markdown: name, headings, points, and sentences over several lines as one', async () => {
    const long =
      '负责订单系统的重构，把单体应用拆成二十多个服务，峰值流量下吞吐提升三倍，故障恢复时间从三十分钟降到两分钟以内。'
    const pdf = await pdfOf((page) => {
      page.font('han').fontSize(20).text('张伟').fontSize(10).text('电话：138-0013-8000')
      page.fontSize(14).text('工作经历').fontSize(10)
      const { y } = page
      page.text('上海云帆科技有限公司', 50, y).text('2021.03–至今', 400, y, { width: 145, align: 'right' })
      page.text(`• ${long}`, 60, undefined, { width: 300 }).text('● 使用 Go 与 Kafka')
      page.fontSize(14).text('教育背景', 50).fontSize(10).text('浙江大学 计算机科学 本科 2014.09-2018.06')
      page.text('1 / 1')
    })

    expect(await readPdf(pdf)).toEqual({
      markdown: [
        '# 张伟',
        '电话：138-0013-8000',
        '## 工作经历',
        '上海云帆科技有限公司 | 2021.03–至今',
        `- ${long}\n- 使用 Go 与 Kafka`,
        '## 教育背景',
        '浙江大学 计算机科学 本科 2014.09-2018.06',
      ].join('\n\n'),
      errors: [],
    })
  })

  it('joins a point with the long word that had no room on its line', async () => {
    const points = [
      'Run the services on Kubernetes and PostgreSQL.',
      'Mentor two junior engineers of the team.',
    ]
    const pdf = await pdfOf((page) => {
      page.font('Helvetica').fontSize(20).text('Ada Park').fontSize(14).text('Experience').fontSize(10)
      page.text('• Run the services on Kubernetes and', 60).text('PostgreSQL.', 66)
      page.text('• Mentor two junior engineers of the team.', 60).text('Northwind', 50)
    })

    expect((await readPdf(pdf)).markdown).toContain(`- ${points.join('\n- ')}\n\nNorthwind`)
  })

  it('is read column by column, where it has two', async () => {
    const rows = [
      ['CONTACT', 'EXPERIENCE'],
      ['ada@example.com', 'Engineer, Analytical Engines Ltd.'],
      ['London', 'Mar 2021 - Present'],
      ['SKILLS', '• Wrote the first program'],
      ['Rust', 'EDUCATION'],
      ['C++', 'University of London, 2013 - 2017'],
    ]
    const pdf = await pdfOf((page) => {
      page.font('Helvetica').fontSize(22).text('Ada Lovelace', 220, 40).fontSize(10)
      for (const [at, [left = '', right = '']] of rows.entries()) {
        page.text(left, 50, 90 + at * 14).text(right, 220, 90 + at * 14)
      }
    })

    const { markdown } = await readPdf(pdf)

    expect(markdown).toBe(
      [
        '# Ada Lovelace',
        '## CONTACT',
        'ada@example.com',
        'London',
        '## SKILLS',
        'Rust',
        'C++',
        '## EXPERIENCE',
        'Engineer, Analytical Engines Ltd.',
        'Mar 2021 - Present',
        '- Wrote the first program',
        '## EDUCATION',
        'University of London, 2013 - 2017',
      ].join('\n\n'),
    )
  })

  it('does not take dates next to a text for a column', async () => {
    const pdf = await pdfOf((page) => {
      for (let at = 0; at < 8; at += 1)
        page.text(`2010 - 201${at}`, 50, 60 + at * 20).text(`Firm ${at}`, 200, 60 + at * 20)
    })

    expect((await readPdf(pdf)).markdown).toContain('2010 - 2013 | Firm 3')
  })

  it('says which of its pages are scans', async () => {
    const pdf = await pdfOf((page) => page.text('Ada Lovelace').addPage().rect(9, 9, 99, 99).fill())

    expect((await readPdf(pdf)).errors).toEqual(['Page 2 holds no text: it is probably a scanned image.'])
  })

  it('says that text is missing whose fonts it does not hold', async () => {
    const content = 'BT /F 12 Tf <5DE54F5C> Tj ET'
    const pdf = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>endobj
4 0 obj<</Length ${content.length}>>stream\n${content}\nendstream endobj
5 0 obj<</Type/Font/Subtype/Type0/BaseFont/STSong/Encoding/UniGB-UCS2-H/DescendantFonts[6 0 R]>>endobj
6 0 obj<</Type/Font/Subtype/CIDFontType0/BaseFont/STSong
/CIDSystemInfo<</Registry(Adobe)/Ordering(GB1)/Supplement 2>>>>endobj
trailer<</Root 1 0 R>>`

    expect((await readPdf(new Uint8Array(Buffer.from(pdf)))).errors).toContainEqual(
      expect.stringContaining('does not hold its Chinese fonts'),
    )
  })

  it('is refused with a password', async () => {
    const pdf = await pdfOf((page) => page.text('x'), { userPassword: 'secret' })

    await expect(readPdf(pdf)).rejects.toMatchObject({
      code: 'invalid-request',
      message: 'The PDF has a password: save it without one',
    })
  })

  it('that unpacks to too much ends its thread, and the next is read', async () => {
    const content = deflateSync(Buffer.alloc(140_000_000, ' '), { level: 1 })
    const stream = Buffer.from(content).toString('latin1')
    const bomb = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R/Resources<<>>>>endobj
4 0 obj<</Filter/FlateDecode/Length ${content.length}>>stream\n${stream}\nendstream endobj
trailer<</Root 1 0 R>>`

    await expect(
      readResumeInWorker('ada', { file: new Uint8Array(Buffer.from(bomb, 'latin1')) }),
    ).rejects.toMatchObject({
      code: 'invalid-request',
      message: 'The resume cannot be read: it takes too much memory',
    })
    const next = { file: await pdfOf((page) => page.text('Ada Lovelace')) }
    expect(await readResumeInWorker('ada', next)).toMatchObject({ markdown: '# Ada Lovelace' })
  })
})

describe('a DOCX', () => {
  it('becomes Markdown, with a table’s short rows as lines', async () => {
    const docx = await docxOf([
      '# 王芳',
      '性别 | 女 | 政治面貌 | 党员',
      '## 工作经历',
      '松烟工作室',
      '- 负责规划',
      '- 上线',
    ])

    expect(await readDocx(docx)).toEqual({
      markdown: '# 王芳\n\n性别 | 女 | 政治面貌 | 党员\n\n## 工作经历\n\n松烟工作室\n\n- 负责规划\n- 上线',
      errors: [],
    })
  })

  it('that we made gives the resume again that it was made of', async () => {
    const resume = [
      '# Ada Park',
      'ada@example.com · Berlin',
      '## Experience',
      '### Engineer, Northwind',
      '2019 – 2023',
      '- Cut the build to 6 minutes.',
    ].join('\n\n')
    const { bytes } = await documents().docx('ada', resume, { template: 'classic' })

    expect((await readDocx(bytes)).markdown).toBe(resume)
  })

  it('without a name keeps its only section one', async () => {
    expect((await readDocx(await docxOf(['## 工作经历', '松烟工作室']))).markdown).toBe(
      '## 工作经历\n\n松烟工作室',
    )
  })

  it('finds sections that are only lines', async () => {
    const docx = await docxOf(['王芳', '教育背景', '清华大学'])

    expect((await readDocx(docx)).markdown).toBe('王芳\n\n## 教育背景\n\n清华大学')
  })

  it.each([
    ['another zip', { 'a.txt': Buffer.from('x') }, 'The file is a zip, but not a Word file (DOCX)'],
    ['a bomb', { 'word/document.xml': Buffer.alloc(60_000_000, ' ') }, 'The DOCX unpacks to too much'],
    ['no XML', { 'word/document.xml': Buffer.from('<w:document') }, 'The DOCX cannot be read: it is damaged'],
  ])('is refused where it is %s', async (_, files, message) => {
    await expect(readDocx(zipOf(files))).rejects.toMatchObject({ code: 'invalid-request', message })
  })

  it('of millions of empty texts, at which V8 may end the process, ends its own alone', async () => {
    const texts = `<w:p><w:r>${'<w:t/>'.repeat(3_800_000)}</w:r></w:p>`
    const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
    const xml = `<w:document xmlns:w="${word}"><w:body>${texts}</w:body></w:document>`
    const file = zipOf({
      '[Content_Types].xml': Buffer.from('<Types/>'),
      'word/document.xml': Buffer.from(xml),
    })
    expect(file.byteLength).toBeLessThan(100_000)

    // On a slow machine its time is over before its memory.
    await expect(readResumeInWorker('ada', { file })).rejects.toThrow(/it takes too (?:much memory|long)$/)
    expect(await readResumeInWorker('ada', { file: await docxOf(['# Ada']) })).toMatchObject({
      markdown: '# Ada',
    })
  }, 60_000)
})

/** A zip that claims its entries to be tiny. */
function zipOf(files: Readonly<Record<string, Buffer>>): Uint8Array {
  const parts: Buffer[] = []
  const entries: Buffer[] = []
  let offset = 0
  for (const [name, content] of Object.entries(files)) {
    const packed = deflateRawSync(content)
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50)
    local.writeUInt16LE(8, 8)
    local.writeUInt32LE(packed.length, 18)
    local.writeUInt16LE(name.length, 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50)
    entry.writeUInt16LE(8, 10)
    entry.writeUInt32LE(packed.length, 20)
    entry.writeUInt32LE(10, 24)
    entry.writeUInt16LE(name.length, 28)
    entry.writeUInt32LE(offset, 42)
    parts.push(local, Buffer.from(name), packed)
    entries.push(entry, Buffer.from(name))
    offset += 30 + name.length + packed.length
  }
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50)
  end.writeUInt16LE(Object.keys(files).length, 10)
  end.writeUInt32LE(offset, 16)
  return new Uint8Array(Buffer.concat([...parts, ...entries, end]))
}
