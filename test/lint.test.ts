import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const run = promisify(execFile)

describe('the lint rule no-late-await', () => {
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dragoman-lint-'))
    await writeFile(
      join(folder, '.oxlintrc.json'),
      JSON.stringify({
        jsPlugins: [join(ROOT, 'scripts/lint/plugin.mjs')],
        categories: { correctness: 'off' },
        rules: { 'dragoman/no-late-await': 'error' },
      }),
    )
  })
  afterAll(() => rm(folder, { recursive: true }))

  const complaints = async (body: string): Promise<number> => {
    const file = join(folder, 'case.ts')
    await writeFile(file, `export async function f(): Promise<unknown> {\n${body}\n}\n`)
    const args = ['--config', join(folder, '.oxlintrc.json'), '--format', 'json', file]
    const { stdout } = await run(join(ROOT, 'node_modules/.bin/oxlint'), args).catch(
      (error: { stdout: string }) => error,
    )
    return (JSON.parse(stdout) as { diagnostics: unknown[] }).diagnostics.length
  }

  it.each([
    ['awaited in a finally block', 'const a = g()\ntry { return await h() } finally { await a }'],
    ['awaited after another promise', 'const a = g()\nawait h()\nreturn await a'],
    ['awaited after a loop that waits', 'const a = g()\nfor await (const b of h()) use(b)\nreturn await a'],
    ['awaited with others, too late', 'const a = g()\nawait h()\nreturn await Promise.all([a, i()])'],
    ['called by a chain that may be absent', 'const a = o?.g()\nawait h()\nreturn await a'],
  ])('reports a promise that is %s', async (_case, body) => {
    expect(await complaints(body)).toBe(1)
  })

  it.each([
    ['awaited first', 'const a = g()\nconst b = await a\nawait h()\nreturn b'],
    ['awaited together with the others', 'const a = g()\nreturn await Promise.all([a, h()])'],
    ['handled where it is made', 'const a = g().catch(() => undefined)\nawait h()\nreturn await a'],
    ['handled before the wait', 'const a = g()\na.catch(() => undefined)\nawait h()\nreturn await a'],
    ['handed to a function', 'const a = g()\nkeepAlive(a)\nawait h()\nreturn await a'],
    ['no promise that this function awaits', 'const a = g()\nawait h()\nreturn a'],
  ])('accepts a promise that is %s', async (_case, body) => {
    expect(await complaints(body)).toBe(0)
  })
})
