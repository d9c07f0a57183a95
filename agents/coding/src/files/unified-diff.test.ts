import { applyPatch } from 'diff'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { diffOfNew, unifiedDiff, formatDiff } from './unified-diff.ts'

const names = ['a.ts', 'a.ts'] as const

describe('unifiedDiff', () => {
  it('returns a unified diff', async () => {
    const difference = await unifiedDiff('1\n2\n3\n4\n5\n6\n7\n8\n9', '1\n2\n3\n4\n5\nsix\n7\n8\n9', names)

    expect(difference).toEqual({
      diff: '--- a.ts\n+++ a.ts\n@@ -3,7 +3,7 @@\n 3\n 4\n 5\n-6\n+six\n 7\n 8\n 9\n\\ No newline at end of file\n',
      added: 1,
      removed: 1,
      truncated: false,
    })
    expect(formatDiff(difference)).toContain('+1 −1 lines\n--- a.ts')
  })

  it('writes each file name on one line, Chinese ones unescaped', async () => {
    const difference = await unifiedDiff('a\n', 'b\n', ['新 文件.txt', 'b\n+x "y"'])

    expect(difference.diff).toBe('--- 新 文件.txt\n+++ "b\\n+x \\"y\\""\n@@ -1,1 +1,1 @@\n-a\n+b\n')
    expect(applyPatch('a\n', difference.diff)).toBe('b\n')
  })

  it('ignores line endings', async () => {
    expect(await unifiedDiff('a\r\nb\r\n', 'a\nb\n', names)).toMatchObject({ diff: '', added: 0, removed: 0 })
  })

  it('turns the first text into the second', async () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 40 })
      .map((lines) => lines.join('\n'))
    await fc.assert(
      fc.asyncProperty(text, text, async (before, after) => {
        const { diff } = await unifiedDiff(before, after, names)
        expect(diff === '' ? before : applyPatch(before, diff)).toBe(after)
      }),
    )
  })

  it('finds a change at the end of a large text', async () => {
    const text = Array.from({ length: 300_000 }, (_, at) => `line ${at}\n`).join('')

    const { diff } = await unifiedDiff(text, text.replace('line 299990\n', ''), names)

    expect(diff).toContain('@@ -299988,7 +299988,6 @@')
    expect(diff).toContain('-line 299990')
  })

  it('counts the lines of texts that have nothing in common, and shows their beginnings', async () => {
    const text = (letter: string): string =>
      Array.from({ length: 50_000 }, (_, at) => `${letter}${at}\n`).join('')

    const difference = await unifiedDiff(text('a'), text('b'), names)

    expect(difference).toMatchObject({ added: 50_000, removed: 50_000, truncated: true })
    expect(difference.diff).toMatch(
      /^--- a\.ts\n\+{3} a\.ts\n@@ -1,\d+ \+1,\d+ @@\n-a0\n-a1\n[^]+\n\+b0\n\+b1\n/,
    )
    expect(difference.diff.length).toBeLessThan(6000)
    expect(formatDiff(difference)).toContain('+50000 −50000 lines\n--- a.ts')
  })

  it.each([
    ['a line too long to be shown', 30_000],
    ['a line too long to be compared', 800_000],
  ])('shows what is around a change in %s', async (_what, length) => {
    const before = `first\n${'x'.repeat(length)}${'y'.repeat(length)}\nlast\n`

    const { diff, truncated, added, removed } = await unifiedDiff(before, before.replace('xy', 'x🎉y'), names)

    const [x, y] = ['x'.repeat(100), 'y'.repeat(100)]
    expect(diff).toBe(`--- a.ts\n+++ a.ts\n@@ -2,1 +2,1 @@\n-…${x}${y}…\n+…${x}🎉${y}…\n`)
    expect({ truncated, added, removed }).toMatchObject({ truncated: true })
    expect(added).toBe(removed)
  })

  it('shows the beginning of a new file of one long line', () => {
    const { diff, truncated } = diffOfNew('a.js', 'z'.repeat(50_000))

    expect(diff).toBe(`--- /dev/null\n+++ a.js\n@@ -1,0 +1,1 @@\n+${'z'.repeat(2000)}…\n`)
    expect(truncated).toBe(true)
  })

  it('truncates a long diff after a line and says so', async () => {
    const after = Array.from({ length: 1000 }, (_, at) => `${at}\n`).join('')

    const { diff, truncated, added } = await unifiedDiff('', after, names)

    expect({ truncated, added }).toEqual({ truncated: true, added: 1000 })
    expect(diff.split('\n').length).toBeLessThan(402)
    expect(diff.endsWith('\n')).toBe(true)
  })
})
