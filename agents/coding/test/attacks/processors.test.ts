import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { getPriority } from 'node:os'
import { dirname, join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { servedFolder } from '../../src/coding.fixture.ts'
import { commandTool, hasSandbox, SYSTEM_PATH, testSandboxes } from '../../src/commands/commands.fixture.ts'
import { createControlGroup } from '../../src/commands/control-group.ts'
import { createProgramTurns, PROGRAMS_PER_USER } from '../../src/commands/program-turns.ts'
import { plainSearcher } from '../../src/search/plain-searcher.ts'
import { ripgrepSearcher } from '../../src/search/ripgrep-searcher.ts'
import { workspaceSearch } from '../../src/search/workspace-search.ts'

const isLinux = process.platform === 'linux'
const isSandboxed = await hasSandbox()
const group = await createControlGroup({ processes: 10, memoryBytes: 2 ** 26 })
const hasShares = (group?.joinFiles ?? []).some((file) => sharesIn(dirname(file)).length > 0)
await group?.[Symbol.asyncDispose]()

/** The files of a group that say how much of the processors it gets. */
function sharesIn(folder: string): readonly string[] {
  return readdirSync(folder).filter((name) => /^cpu\.(shares|weight)$/.test(name))
}

/** A program as it stands in `/proc/PID/stat`, after its name: the 17th field is its niceness. */
function niceness(stat: string): number {
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])
}

describe('the programs of a user', () => {
  it.skipIf(!isLinux)('run a few at once: more wait, and those of another user begin', async () => {
    const { run, root } = await commandTool({ timeoutMs: 20_000 })
    const untilGo = 'while [ ! -e go ]; do sleep 0.05; done'
    const running = Array.from({ length: PROGRAMS_PER_USER }, () => run(untilGo))
    const late = run('touch late')
    const leave = new AbortController()
    const abandoned = run('touch abandoned', { signal: leave.signal })

    const other = await run('touch other', { userId: 'bob' })
    leave.abort(new Error('The user has left.'))
    await expect(abandoned).rejects.toThrow('The user has left.')
    const began = ['other', 'late', 'abandoned'].filter((name) => existsSync(join(root, name)))
    await writeFile(join(root, 'go'), '')
    await Promise.all(running)

    expect(other.output).toMatchObject({ exitCode: 0 })
    expect(began).toEqual(['other'])
    expect((await late).output).toMatchObject({ exitCode: 0, timedOut: false })
    expect(existsSync(join(root, 'abandoned'))).toBe(false)
  })

  it('are commands and searches together, and wait no longer than they may', async () => {
    const programs = createProgramTurns()
    const { signal } = new AbortController()
    const { root, workspaces } = await servedFolder({ 'a.txt': 'x' })
    const search = workspaceSearch(async () => plainSearcher(), { programs })
    const workspace = await workspaces.open({ workspaceRoot: root })
    const find = (userId: string) => search.files(workspace, { pattern: '*' }, { userId, signal })
    const turn = (maxWaitMs: number) => programs.turn('ada', { signal, maxWaitMs })
    const commands = await Promise.all(Array.from({ length: PROGRAMS_PER_USER }, () => turn(1000)))
    const order: string[] = []

    const late = find('ada').then(() => order.push('ada'))
    await find('bob').then(() => order.push('bob'))
    await expect(turn(1)).rejects.toMatchObject({ code: 'rate-limited' })
    for (const each of commands) each[Symbol.dispose]()
    await late

    expect(order).toEqual(['bob', 'ada'])
  })
})

describe.skipIf(!isLinux)('a program of a user', () => {
  it('has the lowest priority, and so has its session', async () => {
    const { run } = await commandTool()

    const { output } = await run('read -r all </proc/self/stat; echo "$all"; cat /proc/self/autogroup')

    const [stat = '', session] = (output as { output: string }).output.split('\n')
    expect(niceness(stat)).toBe(19)
    if (existsSync('/proc/self/autogroup')) expect(session).toMatch(/ nice 19$/)
  })

  it.skipIf(!isSandboxed)(
    'has the lowest priority where it searches, and the server keeps its own',
    async () => {
      const { root } = await servedFolder({
        rg: '#!/bin/sh\nread -r all </proc/self/stat\nprintf "%s\\0" "$all"\n',
      })
      await chmod(join(root, 'rg'), 0o755)
      const boxes = testSandboxes({ env: { PATH: SYSTEM_PATH } })
      const own = () => [getPriority(), readFileSync('/proc/self/autogroup', 'utf8')]
      const before = own()
      const area = { root, start: '', skip: [], bounds: { base: root, closed: [] } }

      const found = await Array.fromAsync(
        ripgrepSearcher(join(root, 'rg'), boxes).files(area, new AbortController().signal),
      )

      expect(found.map(niceness)).toEqual([19])
      expect(own()).toEqual(before)
    },
  )

  it.skipIf(!hasShares)('has a low share of the processors, whatever sessions it begins', async () => {
    await using made = await createControlGroup({ processes: 10, memoryBytes: 2 ** 26 })

    const shares = (made?.joinFiles ?? []).flatMap((file) =>
      sharesIn(dirname(file)).map((name) => join(dirname(file), name)),
    )

    for (const file of shares) {
      const usual = file.endsWith('.shares') ? 1024 : 100
      expect(Number(await readFile(file, 'utf8'))).toBeLessThanOrEqual(usual / 10)
    }
  })
})
