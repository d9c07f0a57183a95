import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { accepts, testApprovalContext } from '../../../../packages/dragoman/src/agents/tool.fixture.ts'
import { callTool, type Progress } from '../coding.fixture.ts'
import { commandTool, hasSandbox, noSandboxPath } from './commands.fixture.ts'

const isSandboxed = await hasSandbox()

describe.each([
  { where: 'in a sandbox', sandboxed: true },
  { where: 'without a sandbox', sandboxed: false },
])('a command $where', ({ sandboxed }) => {
  const test = it.skipIf(sandboxed && !isSandboxed)
  const rig = async (wanted: Parameters<typeof commandTool>[0] = {}) =>
    commandTool({ ...(!sandboxed && { path: await noSandboxPath() }), ...wanted })

  test('runs in the folder and returns its output in order', async () => {
    const { root, run } = await rig({ files: { 'a.txt': 'from a file' } })

    const { output, text } = await run('printf "one\\n"; printf "two\\n" >&2; cat a.txt; printf new >b.txt')

    expect(output).toEqual({
      exitCode: 0,
      signal: null,
      timedOut: false,
      durationMs: expect.any(Number),
      leftRunning: 0,
      output: 'one\ntwo\nfrom a file',
      truncated: false,
      sandboxed,
    })
    expect(text).toMatch(/^Exit code 0 after \d+\.\d s\.\n\none\ntwo\nfrom a file$/)
    expect(await readFile(join(root, 'b.txt'), 'utf8')).toBe('new')
  })

  test('returns a failure with its exit code', async () => {
    const { run } = await rig()

    const { output, text } = await run('nowhere-to-be-found')

    expect(output).toMatchObject({ exitCode: 127 })
    expect(text).toMatch(/^Exit code 127 .*\n\n.*nowhere-to-be-found: command not found/)
    expect((await run('exit 3')).text).toMatch(/^Exit code 3 .*\n\n\(no output\)$/)
  })

  test('runs below the folder and nowhere else', async () => {
    const { root, outside, run } = await rig({ files: { 'sub/a.txt': 'below' } })
    await symlink(outside, join(root, 'out'))
    await mkdir(join(outside, 'root2'))
    const at = (cwd: string) => run('cat a.txt', { cwd })

    expect((await at('sub')).output).toMatchObject({ output: 'below' })
    expect((await at(join(root, 'sub'))).output).toMatchObject({ output: 'below' })
    for (const cwd of ['..', '../root2', 'out', '/', 'sub/../../root2'])
      await expect(at(cwd)).rejects.toMatchObject({ code: 'forbidden' })
    for (const cwd of ['~', 'file:///etc', 'sub/a.txt', 'none', 'a\0b'])
      await expect(at(cwd)).rejects.toMatchObject({ code: 'invalid-input' })
  })

  test('sees no key of the server', async () => {
    const { run } = await rig({ env: { ANTHROPIC_API_KEY: 'sk-hidden', GITHUB_TOKEN: 'sk-hidden' } })

    const { text } = await run('env; echo "[$CI]"')

    expect(text).toContain('[1]')
    expect(text).not.toContain('sk-hidden')
  })

  test('gets no input', async () => {
    const { run } = await rig()

    expect((await run('cat; echo over')).output).toMatchObject({
      output: 'over\n',
    })
  })

  test('truncates endless output in bounded time', async () => {
    const { run } = await rig()

    const { output, text } = await run('echo first; yes 中文 | head -c 50M; echo; echo last')

    expect(output).toMatchObject({ exitCode: 0, truncated: true })
    expect(text.length).toBeLessThan(52_000)
    expect(text).toMatch(
      /\n\nfirst\n中文\n[^]*\n… [\d,]+ lines \([\d,]+ characters\) left out …\n[^]*last\n$/,
    )
  })

  test('reports progress', async () => {
    const { run } = await rig()
    const progress: Progress[] = []

    await run('printf "\\033[32mgreen\\033[0m\\n"; printf "1%%\\r2%%"', { updates: progress })

    expect(progress.map(({ delta }) => delta).join('')).toBe('green\n1%\n2%')
  })

  test('ends after its timeout and keeps the output so far', async () => {
    const { tool, run } = await rig({ timeoutMs: 6000 })

    const { output, text } = await run('echo begun; sleep 1000')

    expect(output).toMatchObject({ timedOut: true, output: 'begun\n' })
    expect(text).toMatch(/^Timed out: it ran longer than 6 s and was ended\..*\n\nbegun\n$/)
    expect(tool.timeoutMs).toBeGreaterThan(1000)
  })

  // A busy machine may not get to it in half a second.
  test('can clean up in its grace period', { retry: 2 }, async () => {
    const { root, run } = await rig({ timeoutMs: 6000 })

    const { output } = await run('trap "echo tidied >>log; exit" TERM; sleep 1000 & wait')

    expect(output).toMatchObject({ timedOut: true })
    expect(await readFile(join(root, 'log'), 'utf8')).toBe('tidied\n')
  })

  test('is asked about without a sandbox alone, also as the first thing of a process', async () => {
    const { tool } = await rig()
    const all = Array.from({ length: 3 }, async () =>
      tool.needsApproval({ command: 'ls' }, testApprovalContext),
    )
    expect(await Promise.all(all)).toEqual([!sandboxed, !sandboxed, !sandboxed])
  })

  test('cannot pass flags to the shell', async () => {
    const { tool, run } = await rig()

    for (const command of ['', '  ', 'echo a\0b', 'x'.repeat(30_001)])
      expect(await accepts(tool, { command })).toBe(false)
    const { output } = await run(`echo ${'中'.repeat(29_900)} | head -c 3`)
    expect(output).toMatchObject({ output: '中' })
  })

  test('runs concurrently with others', async () => {
    const { run } = await rig()

    const all = await Promise.all(
      Array.from({ length: 8 }, (_, index) => run(`echo ${index}; exit ${index}`)),
    )

    expect(all.map(({ output }) => output)).toEqual(
      Array.from({ length: 8 }, (_, index) =>
        expect.objectContaining({ exitCode: index, output: `${index}\n` }),
      ),
    )
  })
})

describe('a missing working folder', () => {
  it('gives an error', async () => {
    const { tool, root } = await commandTool()
    await writeFile(join(root, 'file'), '')

    await expect(callTool(tool, { command: 'true' }, { root: join(root, 'gone') })).rejects.toMatchObject({
      code: 'invalid-request',
    })
  })
})
