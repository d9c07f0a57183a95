import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const run = promisify(execFile)
let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dragoman-lint-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** Lints a file with one of our rules, and counts the reports. */
async function reportsOf(rule: string, source: string, fileName = 'case.ts'): Promise<number> {
  const config = join(folder, '.oxlintrc.json')
  const file = join(folder, fileName)
  const rules = { [`dragoman/${rule}`]: 'error' }
  const jsPlugins = [join(ROOT, 'scripts/lint/plugin.mjs')]
  await writeFile(config, JSON.stringify({ jsPlugins, categories: { correctness: 'off' }, rules }))
  await writeFile(file, source)
  const oxlint = join(ROOT, 'node_modules/.bin/oxlint')
  const { stdout } = await run(oxlint, ['--config', config, '--format', 'json', file]).catch(
    (error: { stdout: string }) => error,
  )
  return (JSON.parse(stdout) as { diagnostics: unknown[] }).diagnostics.length
}

describe('the lint rule no-late-await', () => {
  const inFunction = (body: string) => `export async function f(): Promise<unknown> {\n${body}\n}\n`

  it.each([
    ['awaited in a finally block', 'const a = g()\ntry { return await h() } finally { await a }'],
    ['awaited after another promise', 'const a = g()\nawait h()\nreturn await a'],
    ['awaited after a loop that waits', 'const a = g()\nfor await (const b of h()) use(b)\nreturn await a'],
    ['awaited with others, too late', 'const a = g()\nawait h()\nreturn await Promise.all([a, i()])'],
    ['called by a chain that may be absent', 'const a = o?.g()\nawait h()\nreturn await a'],
  ])('reports a promise that is %s', async (_case, body) => {
    expect(await reportsOf('no-late-await', inFunction(body))).toBe(1)
  })

  it.each([
    ['awaited first', 'const a = g()\nconst b = await a\nawait h()\nreturn b'],
    ['awaited together with the others', 'const a = g()\nreturn await Promise.all([a, h()])'],
    ['handled where it is made', 'const a = g().catch(() => undefined)\nawait h()\nreturn await a'],
    ['handled before the wait', 'const a = g()\na.catch(() => undefined)\nawait h()\nreturn await a'],
    ['handed to a function', 'const a = g()\nkeepAlive(a)\nawait h()\nreturn await a'],
    ['no promise that this function awaits', 'const a = g()\nawait h()\nreturn a'],
  ])('accepts a promise that is %s', async (_case, body) => {
    expect(await reportsOf('no-late-await', inFunction(body))).toBe(0)
  })
})

describe('the lint rule no-slow-normalize', () => {
  it.each([
    ['a form', "export const f = (text: string) => text.trim().normalize('NFKC')", 1],
    ['no form', 'export const f = (text: string) => text.normalize()', 1],
    ['a form in a variable', 'export const f = (text: string, form: string) => text.normalize(form)', 1],
    ['a path', "import { normalize } from 'node:path'\nexport const f = normalize('a//b')", 0],
    ['another function', "import { posix } from 'node:path'\nexport const f = posix.normalize('a//b')", 0],
  ])('knows the method by %s', async (_name, source, count) => {
    expect(await reportsOf('no-slow-normalize', source)).toBe(count)
  })
})

describe('the lint rule plain-names', () => {
  it.each([
    ['a participle as a variable', 'const told = 1\n'],
    ['a participle as a parameter', 'const f = (asked: string) => asked.length\n'],
    ['a participle as a type', 'type Kept = string\n'],
    ['a word for somebody', 'function nobodyCanCall() {}\n'],
    ['a limit that is not called MAX', 'const MOST_BYTES = 1\n'],
  ])('reports %s', async (_case, source) => {
    expect(await reportsOf('plain-names', source)).toBe(1)
  })

  it('reports a file name that is a participle', async () => {
    expect(await reportsOf('plain-names', 'const entry = 1\n', 'told.ts')).toBe(1)
  })

  it.each([
    ['nouns, verbs and limits', 'const MAX_BYTES = 1\nfunction resolveAgents(agents: string[]) {}\n'],
    ['a participle before a noun', 'const keptEntries = 1\n'],
    ['a field of a wire format', 'const body = { asked: true }\n'],
  ])('accepts %s', async (_case, source) => {
    expect(await reportsOf('plain-names', source)).toBe(0)
  })
})

describe('the lint rule plain-text', () => {
  it('reports a line of more than 120 characters, but not one with a link', async () => {
    const long = 'a'.repeat(120)

    expect(await reportsOf('plain-text', `// ${long}\n`)).toBe(1)
    expect(await reportsOf('plain-text', `// https://example.com/${long}\n`)).toBe(0)
  })

  it('reports a specification number in a comment, but not in code', async () => {
    expect(await reportsOf('plain-text', '// As S3-16 asks.\n')).toBe(1)
    expect(await reportsOf('plain-text', "const id = 'S3-16'\n")).toBe(0)
  })
})
