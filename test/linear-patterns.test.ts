import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const CHECK = join(import.meta.dirname, '../scripts/check-patterns.mjs')
const run = promisify(execFile)
let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dragoman-patterns-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** The numbers of the lines of a source whose patterns the check reports. */
async function slowLinesOf(...lines: string[]): Promise<number[]> {
  const file = join(folder, `case-${Math.random()}.ts`)
  await writeFile(file, lines.join('\n'))
  const { stderr } = await run(process.execPath, [CHECK, file]).catch((error: { stderr: string }) => error)
  return [...stderr.matchAll(/case-[\d.]+\.ts:(\d+) /g)].map(([, line]) => Number(line))
}

/** The check measures each pattern, so that this is one process for all of them. */
const linesOf = (patterns: readonly RegExp[]): string[] =>
  patterns.map((pattern, index) => `export const pattern${index} = ${pattern}`)

describe('the check of patterns', () => {
  const SLOW = [
    /\s+$/,
    /\s+$/gmu,
    /a*b?a*$/,
    /<[^>]*$/,
    /\d{20,}x/,
    /[\w.]+@[\w.]+/,
    /"(?:[^"\\]|\\.)*"/g,
    /"(?:[^"\\]|\\.)*"/y,
    /\bpwd\b[^.]*is/i,
    /i think .*pills/iu,
    /我想.*死/u,
    /a{0,900}b{0,900}a{0,900}c/,
    /^\s*(.*?)\s*$/s,
    /(?<=a.*)b/,
    /\s(?=.*x)/,
    /[[a-z]--x]+$/v,
    /(?<letters>\w+)\k<letters>+!/,
  ]
  const EXPONENTIAL = [
    /^(a+)+$/,
    /(a|a)*b/,
    /(a*)*b/,
    /^(?:a.|.b)*$/,
    /^(?:\w+\s?)*$/,
    /(?:x+x+)+y/,
    /^(?=(a+)+$)b?/,
    /^(?:(?:[a-z])+.)+[A-Z](?:[a-z])+$/,
  ]
  const LINEAR = [
    /^\s+/,
    /(?<!\s)\s+$/,
    /^a*b/,
    /<[^<>]*>/,
    /\d+/,
    /(?:ab)+/g,
    /^(?:a|b)*$/,
    /[^\n]{0,40}?x/,
    /x[^x]*$/,
    /"(?:[^"\\]|\\.)*"?/g,
    /\b(?:one|two|three)\b[^.]{0,40}\bfour\b/iu,
    /^(\d)\1+$/,
  ]

  it('reports those that need more than linear time, and no others', async () => {
    const found = await slowLinesOf(...linesOf([...SLOW, ...EXPONENTIAL, ...LINEAR]))

    expect(found).toEqual([...SLOW, ...EXPONENTIAL].map((_, index) => index + 1))
  }, 120_000)

  it('reads those that a program makes of lists and parts, where it is loaded and in a function', async () => {
    const found = await slowLinesOf(
      "const phrases = ['good', 'i think .*pills', '\\\\s+$']",
      "export const patterns = phrases.map((phrase) => new RegExp(phrase, 'iu'))",
      "const [word, end] = ['\\\\w+', '\\\\s*$']",
      "export const joined = RegExp(word + end, 'u')",
      'export const find = (name: string) => new RegExp(`^${name}:\\\\s*(.*)$`, "m")',
      'export const cut = (name: string) => new RegExp(`${name}*\\\\s+$`)',
      'export const own = (source: string) => new RegExp(source)',
    )

    expect(found.toSorted((a, b) => a - b)).toEqual([2, 2, 4, 6, 7])
  }, 60_000)

  it('measures with the longest text that a comment promises', async () => {
    const found = await slowLinesOf(
      '// A label has at most 1,000 characters.',
      'export const label = /\\s+$/',
      '/** A page has at most 100,000 characters. */',
      'export const page = /\\s+$/',
      'export const next = /\\s+$/',
      '// A line of',
      '// at most 500 characters.',
      'export const own = (source: string) => new RegExp(source)',
    )

    expect(found).toEqual([4, 5])
  }, 60_000)
})
