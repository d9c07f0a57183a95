import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { cpuMs } from '../../../../test/support/cpu-time.ts'
import { pathPattern } from './path-pattern.ts'

const says = (glob: string, path: string): boolean => pathPattern('include', glob)(path)

describe('pathPattern', () => {
  it.each([
    ['*.ts', 'a.ts', true],
    ['*.ts', 'a.tsx', false],
    ['*', '.env', true],
    ['./src/*.ts', 'src/a.ts', true],
    ['src/*.ts', 'src/deep/a.ts', false],
    ['src/**', 'src/deep/a.ts', true],
    ['src/', 'src/deep/a.ts', true],
    ['*.{ts,tsx}', 'src/a.tsx', true],
    ['{src,test}/*.ts', 'test/a.ts', true],
    ['{src/*.ts,*.md}', 'a.md', true],
    ['{src/**,test/**}', 'src/deep/a.ts', true],
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
    ['a,b', 'a,b', true],
    ['{a,{b,c}}', 'c', true],
    ['{,x}a', 'a', true],
    ['[{]a', '{a', true],
    ['\\{a,b}', '{a,b}', true],
    ['[]]', ']', true],
    ['a[b', 'a[b', true],
    ['*.{d.ts,test.ts}', 'src/a.d.ts', true],
    ['.{env,npmrc}.{a,b}', '.env.b', true],
    ['😀?.md', '😀😀.md', true],
    ['A*', 'a', false],
  ])('matches %s against %s: %s', (glob, path, expected) => {
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
  ])('rejects a pattern that leads out: %s', (glob) => {
    expect(() => pathPattern('pattern', glob)).toThrow(/^pattern must stay below/)
  })

  it.each([
    ['', 'include must not be empty.'],
    ['a\0b', 'include holds no NUL and no line break.'],
    ['{a,b', 'include: a brace is not closed.'],
    ['[z-a]', 'include: [z-a] is no set of characters.'],
    ['{a,b}'.repeat(7), 'include: its braces mean more than 100 patterns.'],
    ['{a,b}'.repeat(100), 'include: its braces mean more than 100 patterns.'],
    ['{'.repeat(400), 'include: a brace is not closed.'],
    ['a'.repeat(501), 'include may have at most 500 characters.'],
  ])('rejects %s', (glob, sentence) => {
    expect(() => pathPattern('include', glob)).toThrow(sentence)
  })

  it('agrees with a regular expression', () => {
    const name = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?'), minLength: 1, maxLength: 6 })
    const names = fc.array(fc.oneof(name, fc.constant('**')), { minLength: 2, maxLength: 4 })
    const text = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 5 })
    const path = fc.array(text, { minLength: 1, maxLength: 4 }).map((each) => each.join('/'))
    fc.assert(
      fc.property(names, path, (pattern, of) => {
        const glob = pattern.join('/')
        const source = glob
          .replaceAll(/(^|\/)(?:\*\*\/)+/g, '$1<folders>')
          .replaceAll(/(^|\/|>)\*\*$/g, '$1<rest>')
          .replaceAll(/\*+/g, '[^/]*')
          .replaceAll('?', '[^/]')
          .replaceAll('<folders>', '(?:[^/]+/)*')
          .replaceAll('<rest>', '.+')
        expect(says(glob, of), source).toBe(new RegExp(`^${source}$`).test(of))
      }),
    )
  })

  it('takes bounded time for any pattern', () => {
    const name = 'a'.repeat(250)
    const cost = cpuMs(() => {
      expect(says('*a*a*a*b', name)).toBe(false)
      expect(says(`${'*a'.repeat(200)}b`, name)).toBe(false)
      expect(says(`**/${'*a'.repeat(20)}/**/b`, Array.from({ length: 16 }, () => name).join('/'))).toBe(false)
      expect(says(`{a,b}*{a,c}*{a,d}*{a,e}*z`, name)).toBe(false)
    })
    expect(cost).toBeLessThan(1000)
  })
})
