import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { codingServices } from '../coding-services.fixture.ts'
import { servedFolder, callTool } from '../coding.fixture.ts'
import { hasSandboxKind, commandTool, noSandboxPath, testSandboxes, SYSTEM_PATH } from './commands.fixture.ts'
import { executeCommandTool } from './execute-command-tool.ts'
import { createProgramTurns } from './program-turns.ts'

const SANDBOXES = [
  { sandbox: 'bubblewrap', works: await hasSandboxKind('bubblewrap') },
  { sandbox: 'unshare', works: await hasSandboxKind('unshare') },
] as const

describe.each(SANDBOXES)('the sandbox of $sandbox', ({ sandbox, works }) => {
  const test = it.skipIf(!works)

  test('lets a command write only to its folder', async () => {
    const { root, outside, home, run } = await commandTool({ sandbox: sandbox })
    await writeFile(join(outside, 'other.txt'), 'untouched')

    const { text } = await run(`echo a >a.txt; echo b >'${outside}/other.txt'; rm -f '${outside}/other.txt'
          echo c >/tmp/c-of-the-sandbox; echo d >'${home}/d'; touch /etc/e /e
          mount -o remount,rw /; cat /tmp/c-of-the-sandbox ~/d`)

    expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('a\n')
    expect(await readFile(join(outside, 'other.txt'), 'utf8')).toBe('untouched')
    expect(text).toMatch(/\/etc\/e.*Read-only file system/)
    expect(text).toMatch(/c\nd\n$/)
    for (const path of ['/tmp/c-of-the-sandbox', join(home, 'd'), '/e'])
      await expect(readFile(path)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  test('hides the home except tools, and hides files of the server', async () => {
    const { home, run } = await commandTool({ sandbox: sandbox })
    for (const path of ['.ssh/id', '.local/bin/tool', 'letters/a.txt', 'server/models.yaml']) {
      await mkdir(join(home, path, '..'), { recursive: true })
      await writeFile(join(home, path), 'hidden')
    }

    const { output } = await run(`cd ~; ls -a . .local/bin; cat server/models.yaml`)

    expect(output).toMatchObject({ exitCode: 1 })
    const { output: text } = output as { output: string }
    expect(text).toContain('tool')
    expect(text).toMatch(/server\/models\.yaml: No such file/)
    expect(text).not.toMatch(/ssh|letters|hidden/)
  })

  test('finds the programs of the user and their libraries', async () => {
    const { outside } = await servedFolder({})
    const bin = join(outside, 'home', 'node-24', 'bin')
    const { run } = await commandTool({
      sandbox: sandbox,
      path: `${SYSTEM_PATH}:${bin}`,
      env: { HOME: join(outside, 'home') },
    })
    await mkdir(join(bin, '../lib'), { recursive: true })
    await mkdir(bin)
    await writeFile(join(bin, '../lib/tool.sh'), '#!/bin/sh\necho found\n', { mode: 0o755 })
    await symlink('../lib/tool.sh', join(bin, 'tool'))

    expect((await run('tool')).output).toMatchObject({ output: 'found\n' })
  })

  test('hides secrets also if the home is the working folder', async () => {
    const { root: home, workspaces: open } = await servedFolder({
      'project/a.txt': 'seen',
      '.ssh/id': 'hidden',
      '.netrc': 'hidden',
      '.config/dragoman/models.yaml': 'hidden',
      'elsewhere/credentials': 'hidden',
    })
    await symlink(join(home, 'elsewhere'), join(home, '.aws'))
    const machine = codingServices({
      env: { PATH: SYSTEM_PATH, HOME: home },
      home: join(home, '.config/dragoman'),
    })
    const tool = executeCommandTool({
      workspaces: open,
      services: machine,
      sandboxes: testSandboxes(machine, sandbox),
      programs: createProgramTurns(),
      timeoutMs: 30_000,
    })

    const { text } = await callTool(
      tool,
      {
        command:
          'cat project/a.txt .ssh/id .netrc .config/dragoman/models.yaml .aws/credentials; echo b >project/b.txt',
      },
      { root: home },
    )

    expect(text).toContain('seen')
    expect(text).not.toContain('hidden')
    expect(await readFile(join(home, 'project/b.txt'), 'utf8')).toBe('b\n')
  })

  test('allows the configured number of processes', async () => {
    const { run } = await commandTool({ sandbox: sandbox })

    const { output } = await run('ulimit -u')

    expect(Number((output as { output: string }).output)).toBeLessThanOrEqual(4096)
  })
})

describe('the note about the sandbox', () => {
  const found = (path: string) => testSandboxes({ env: { PATH: path } }).detect()

  it('says that bubblewrap is missing', async () => {
    expect(await found(await noSandboxPath())).toEqual({
      works: false,
      note: expect.stringMatching(
        /^Commands run without a sandbox, for .*: they can read, write and end whatever/,
      ),
    })
  })

  it.skipIf(process.platform !== 'linux')('says that the sandbox does not work', async () => {
    const { outside } = await servedFolder()
    await writeFile(
      join(outside, 'bwrap'),
      '#!/bin/sh\necho "bwrap: No permissions to create new namespace" >&2\nexit 1\n',
    )
    await chmod(join(outside, 'bwrap'), 0o755)

    expect((await found(outside)).note).toContain(
      'bwrap does not work here (No permissions to create new namespace)',
    )
  })

  it.skipIf(!SANDBOXES[1].works)('changes when a sandbox becomes available', async () => {
    const { outside } = await servedFolder()
    const { detect: foundNow } = testSandboxes({ env: { PATH: outside } })
    expect((await foundNow()).works).toBe(false)
    await symlink('/usr/bin/unshare', join(outside, 'unshare'))

    expect((await foundNow()).works).toBe(true)
  })

  it.each(SANDBOXES.filter(({ works }) => works))('names $sandbox if it works', async ({ sandbox }) => {
    expect(await testSandboxes({}, sandbox).detect()).toMatchObject({
      works: true,
      note: expect.stringMatching(`^Commands run in a sandbox \\(${sandbox}\\): .* they have no network\\.$`),
    })
  })
})
