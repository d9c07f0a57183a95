import mammoth from 'mammoth'
import { beforeAll, describe, expect, it } from 'vitest'

import { openZip } from '../resumes/files/zip.ts'
import { plain } from '../markdown/rich-text.ts'
import { read, sample } from './documents.fixture.ts'
import { drawDocx } from './draw-docx.ts'
import { templates } from './templates.ts'

const look = { template: 'classic', paper: 'a4', language: 'zh' } as const

async function html(markdown: string): Promise<string> {
  const { bytes } = await drawDocx(read(markdown), look)
  return (await mammoth.convertToHtml({ buffer: Buffer.from(bytes) })).value
}

describe('drawDocx', () => {
  let chinese = ''
  beforeAll(async () => {
    chinese = await html(sample('chinese'))
  })

  it('writes headings as headings', () => {
    expect(chinese).toContain('<h1>欧阳镕喆</h1>')
    expect(chinese).toContain('<h2>个人优势</h2>')
    expect(chinese).toMatch(/<h3>某云科技（杭州）有限公司 · 数据平台专家\s2021.03–至今<\/h3>/)
  })

  it('writes nested lists as lists', () => {
    expect(chinese).toContain('<ul><li>编写成本模型，被财务部门采用；</li>')
    expect(chinese).toMatch(/<ol><li><strong>pgwatchful<\/strong>[^<]*<\/li><li>/)
  })

  it('writes links', () => {
    expect(chinese).toContain('<a href="mailto:ouyang@example.cn">ouyang@example.cn</a>')
  })

  it.each(templates)('writes all words in order in the template %s', async (template) => {
    const resume = read(sample('hard'))
    const { bytes } = await drawDocx(resume, { ...look, template })

    const { value } = await mammoth.extractRawText({ buffer: Buffer.from(bytes) })

    const texts = [
      ...resume.contact,
      ...resume.blocks.flatMap((block) => ('text' in block ? [block.text] : [])),
    ]
    const words = [plain(resume.name ?? []), ...texts.map(plain)].join('').replaceAll(/\s/g, '')
    expect(value.replaceAll(/\s/g, '')).toBe(words)
  })

  it.each(templates)('uses fonts of Word in the template %s', async (template) => {
    const { bytes } = await drawDocx(read(sample('chinese')), { ...look, template })
    const zip = openZip(bytes, 1_000_000)

    const parts = ['word/styles.xml', 'word/document.xml'].map((name) =>
      Buffer.from(zip.read(name)).toString(),
    )
    const fonts = parts.flatMap((part) =>
      Array.from(part.matchAll(/<w:rFonts ([^>]*)\/>/g), ([, set]) => set),
    )

    expect(new Set(fonts)).toEqual(
      new Set(['w:ascii="Calibri" w:cs="Calibri" w:eastAsia="Microsoft YaHei" w:hAnsi="Calibri"']),
    )
  })

  it('restarts the numbers of each ordered list', async () => {
    const { bytes } = await drawDocx(read('1. a\n   1. b\n2. c\n\n## d\n\n4. e'), look)
    const zip = Buffer.from(bytes)

    expect((await mammoth.convertToHtml({ buffer: zip })).value).toBe(
      '<ol><li>a<ol><li>b</li></ol></li><li>c</li></ol><h2>d</h2><ol><li>e</li></ol>',
    )
  })
})
