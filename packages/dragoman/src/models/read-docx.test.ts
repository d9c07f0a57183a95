import { describe, expect, it } from 'vitest'

import { archiveOf, documentOf } from './docx.fixture.ts'
import { readDocx } from './read-docx.ts'

describe('a document of Word', () => {
  it('is read as its words, a line for each paragraph and a tab for each cell', async () => {
    const run = (text: string) => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`
    const paragraph = (...texts: string[]) => `<w:p w:rsidR="00A"><w:pPr/>${texts.map(run).join('')}</w:p>`
    const cell = (text: string) => `<w:tc><w:tcPr/>${paragraph(text)}</w:tc>`
    const table = `<w:tbl><w:tr>${cell('a')}${cell('b')}</w:tr></w:tbl>`
    const body = `${paragraph('Fish &amp; ', '&lt;chips&gt;')}${paragraph('第二段')}${table}`

    const words = await readDocx(documentOf(body))

    expect(words).toBe('Fish & <chips>\n第二段\na\tb')
  })

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['no archive', Buffer.from('PK\u0003\u0004 and so on, but this is no archive at all')],
    ['an archive of other files', archiveOf('a.txt', Buffer.from('a'))],
    ['gigabytes', archiveOf('word/document.xml', Buffer.alloc(64 * 1024 * 1024))],
  ])('is not read if it is %s', async (_what, content) => {
    expect(await readDocx(content)).toBeUndefined()
  })

  it('is not read if it is cut, or points outside of itself', async () => {
    const whole = archiveOf('word/document.xml', Buffer.from('<w:p><w:t>a</w:t></w:p>'))
    expect(await readDocx(whole)).toBe('a')

    for (let length = 0; length < whole.length; length += 1)
      expect(await readDocx(whole.subarray(0, length))).toBeUndefined()
    const astray = Buffer.from(whole)
    astray.writeUInt32LE(0xff_ff_ff_f0, whole.length - 6)
    expect(await readDocx(astray)).toBeUndefined()
  })
})
