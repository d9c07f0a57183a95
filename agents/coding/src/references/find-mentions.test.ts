import { describe, expect, it } from 'vitest'

import { findMentions } from './find-mentions.ts'

describe('findMentions', () => {
  it.each([
    ['Explain @src/a.ts', 'src/a.ts'],
    ['@a.ts', 'a.ts'],
    ['see (@a.ts) now', 'a.ts'],
    ['what is in @src/a.ts?', 'src/a.ts'],
    ['Look at @src/a.ts, please', 'src/a.ts'],
    ['@"file with space.md" is long', 'file with space.md'],
    ['看看@目录/文件.md。', '目录/文件.md'],
    ['看看@src/a.ts是什么', 'src/a.ts'],
    ['看看 @文件.md是什么', '文件.md'],
    ['解释@src目录', 'src'],
    ['line @src/a.ts:12-20', 'src/a.ts'],
    ['list @src/', 'src/'],
    ['@../secret', '../secret'],
    ['`@a.ts`', 'a.ts'],
    ['（@a.ts）', 'a.ts'],
  ])('finds %s', (text, path) => {
    expect(findMentions(text).flat()).toContain(path)
    expect(findMentions(text)).toHaveLength(1)
  })

  it.each(['ada@example.com', 'mail ada.b+c@x.org', 'a@b', 'npm:@', '@ alone', 'https://x.org/@me', '@""'])(
    'finds nothing in %s',
    (text) => {
      expect(findMentions(text)).toEqual([])
    },
  )

  it('finds several mentions in order', () => {
    expect(findMentions('Compare @a.ts and @"b c.ts" with @d/').map(([first]) => first)).toEqual([
      'a.ts',
      'b c.ts',
      'd/',
    ])
  })
})
