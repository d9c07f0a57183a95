import { describe, expect, it } from 'vitest'

import { kindOf, textOf } from './kind.ts'
import { textMarkdown } from './plain-text.ts'

describe('a text', () => {
  it('is read in the encodings that Chinese editors wrote', () => {
    // 工作经历 in GB18030.
    const bytes = new Uint8Array([0xb9, 0xa4, 0xd7, 0xf7, 0xbe, 0xad, 0xc0, 0xfa])

    expect(textOf(bytes)).toBe('工作经历')
    expect(textOf(new Uint8Array(Buffer.from('\uFEFF工作', 'utf16le')))).toBe('工作')
    expect(() => textOf(new Uint8Array(Buffer.from('résumé naïve', 'latin1')))).toThrow('text in UTF-8')
    expect(kindOf(bytes)).toBe('text')
  })

  it('gets headings and points; Markdown stays as it is', () => {
    expect(textMarkdown('Ada\nWORK EXPERIENCE:\nAcme\n• a\n· b\n')).toBe(
      'Ada\n\n## WORK EXPERIENCE\n\nAcme\n\n- a\n- b',
    )
    expect(textMarkdown('# Ada\n## Skills\n* Go\n')).toBe('# Ada\n## Skills\n* Go\n')
  })
})
