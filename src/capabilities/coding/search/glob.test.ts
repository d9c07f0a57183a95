import { describe, expect, it } from 'vitest'

import { globRegExp, lastName, plainFolder } from './glob.ts'

const says = (glob: string, path: string): boolean => globRegExp('include', glob).test(path)

describe('a pattern for names', () => {
  it.each([
    ['*.ts', 'a.ts', true],
    ['*.ts', 'src/deep/a.ts', true],
    ['*.ts', 'a.tsx', false],
    ['*', '.env', true],
    ['a.ts', 'src/a.ts', true],
    ['./src/*.ts', 'src/a.ts', true],
    ['src/*.ts', 'src/deep/a.ts', false],
    ['src/*.ts', 'lib/src/a.ts', false],
    ['src/**/*.ts', 'src/a.ts', true],
    ['src/**/*.ts', 'src/deep/er/a.ts', true],
    ['src/**', 'src/deep/a.ts', true],
    ['src/', 'src/deep/a.ts', true],
    ['**/test/*.ts', 'a/test/x.ts', true],
    ['**/test/*.ts', 'test/x.ts', true],
    ['*.{ts,tsx}', 'src/a.tsx', true],
    ['{src,test}/*.ts', 'test/a.ts', true],
    ['{src/*.ts,*.md}', 'a.md', true],
    ['{src/**,test/**}', 'src/deep/a.ts', true],
    ['a?.ts', 'ab.ts', true],
    ['a?.ts', 'a/.ts', false],
    ['?.md', '好.md', true],
    ['[a-c].ts', 'b.ts', true],
    ['[!a-c].ts', 'b.ts', false],
    ['[!a-c].ts', 'd.ts', true],
    ['文档/*.md', '文档/说明.md', true],
    ['!*.ts', 'a.md', true],
    ['!*.ts', 'a.ts', false],
    ['a..b', 'a..b', true],
    ['a\\*.ts', 'a*.ts', true],
    ['a\\*.ts', 'ab.ts', false],
    ['a(b)+.ts', 'a(b)+.ts', true],
    ['a}.ts', 'a}.ts', true],
  ])('%s of %s: %s', (glob, path, expected) => {
    expect(says(glob, path)).toBe(expected)
  })

  it.each([
    '../x',
    'a/../../x',
    '..',
    '**/..',
    '/etc/*',
    '!/etc/*',
    '~/x',
    'file:///etc/x',
    'C:\\x',
    '{..,a}/x',
    '{a,../b}',
    '{a,..}',
    '.{.,x}/b',
    '[.][.]/b',
    '\\.\\./b',
    '.[.]/b',
  ])('may not lead out, as %s would', (glob) => {
    expect(() => globRegExp('pattern', glob)).toThrow(/^pattern must stay below/)
  })

  it.each([
    ['', 'include must not be empty.'],
    ['a\0b', 'include holds no NUL and no line break.'],
    ['{a,b', 'include: a brace is not closed.'],
    ['[z-a]', 'include: [z-a] is no pattern for names.'],
    ['{a,b}'.repeat(11), 'include may hold at most 10 pairs of braces.'],
    ['*a*a*a*a*a*b', 'include may hold at most 4 stars in a name.'],
    ['a'.repeat(501), 'include may have at most 500 characters.'],
  ])('is refused: %s', (glob, sentence) => {
    expect(() => globRegExp('include', glob)).toThrow(sentence)
  })

  it('begins with folders that it names plainly', () => {
    expect(['src/deep/*.ts', 'src/a.ts', '*.ts', 'a.ts', '**/a.ts', '!src/a.ts'].map(plainFolder)).toEqual([
      'src/deep',
      'src',
      '',
      '',
      '',
      '',
    ])
  })

  it('ends with what it asks of a name', () => {
    expect(['src/*.ts', '*.{ts,tsx}', 'src/**', '{a/b,c}', '[ab].ts', '!*.ts'].map(lastName)).toEqual([
      '*.ts',
      '*.{ts,tsx}',
      undefined,
      undefined,
      undefined,
      undefined,
    ])
  })
})
