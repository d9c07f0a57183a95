import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { codingMachine } from '../machine.fixture.ts'
import { servedFolder, use } from '../coding.fixture.ts'
import { canShut, commandsIn, noSandboxPath, sandboxesOf, SYSTEM_PATH } from './commands.fixture.ts'
import { executeCommand } from './execute-command.ts'

const SHUTS = [
  { shut: 'bubblewrap', works: await canShut('bubblewrap') },
  { shut: 'unshare', works: await canShut('unshare') },
] as const

describe.each(SHUTS)('the sandbox of $shut', ({ shut, works }) => {
  const test = it.skipIf(!works)

  test('lets a command write to its folder, and to nothing else that stays', async () => {
    const { tool, root, outside, home } = await commandsIn({ shut })
    await writeFile(join(outside, 'other.txt'), 'untouched')

    const { text } = await use(
      tool,
      {
        command: `echo a >a.txt; echo b >'${outside}/other.txt'; rm -f '${outside}/other.txt'
          echo c >/tmp/c-of-the-sandbox; echo d >'${home}/d'; touch /etc/e /e; mount -o remount,rw /; cat /tmp/c-of-the-sandbox ~/d`,
      },
      { root },
    )

    expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('a\n')
    expect(await readFile(join(outside, 'other.txt'), 'utf8')).toBe('untouched')
    expect(text).toMatch(/\/etc\/e.*Read-only file system/)
    expect(text).toMatch(/c\nd\n$/)
    for (const path of ['/tmp/c-of-the-sandbox', join(home, 'd'), '/e'])
      await expect(readFile(path)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  test('shows nothing of the home but tools, and nothing of the server’s', async () => {
    const { tool, root, home } = await commandsIn({ shut })
    for (const path of ['.ssh/id', '.local/bin/tool', 'letters/a.txt', 'server/models.yaml']) {
      await mkdir(join(home, path, '..'), { recursive: true })
      await writeFile(join(home, path), 'hidden')
    }
    await writeFile(join(home, '.gitconfig'), '[user]\n')

    const { output } = await use(
      tool,
      { command: `cd ~; ls -a . .local/bin; cat .gitconfig; cat server/models.yaml` },
      { root },
    )

    expect(output).toMatchObject({ exitCode: 1 })
    const { output: text } = output as { output: string }
    expect(text).toContain('tool')
    expect(text).toContain('[user]')
    expect(text).toMatch(/server\/models\.yaml: No such file/)
    expect(text).not.toMatch(/ssh|letters|hidden/)
  })

  test('finds the programs that the user finds, with what they are made of', async () => {
    const { outside } = await servedFolder({})
    const bin = join(outside, 'home', 'node-24', 'bin')
    const { tool, root } = await commandsIn({
      shut,
      path: `${SYSTEM_PATH}:${bin}`,
      env: { HOME: join(outside, 'home') },
    })
    await mkdir(join(bin, '../lib'), { recursive: true })
    await mkdir(bin)
    await writeFile(join(bin, '../lib/tool.sh'), '#!/bin/sh\necho found\n', { mode: 0o755 })
    await symlink('../lib/tool.sh', join(bin, 'tool'))

    expect((await use(tool, { command: 'tool' }, { root })).output).toMatchObject({ output: 'found\n' })
  })

  test('hides secrets also where the whole home is worked in', async () => {
    const { root: home, open } = await servedFolder({
      'project/a.txt': 'seen',
      '.ssh/id': 'hidden',
      '.netrc': 'hidden',
      '.config/dragoman/models.yaml': 'hidden',
      'elsewhere/credentials': 'hidden',
    })
    await symlink(join(home, 'elsewhere'), join(home, '.aws'))
    const machine = codingMachine({
      env: { PATH: SYSTEM_PATH, HOME: home },
      home: join(home, '.config/dragoman'),
    })
    const tool = executeCommand({
      workspaces: open,
      machine,
      sandboxes: sandboxesOf(machine, shut),
      timeoutMs: 30_000,
    })

    const { text } = await use(
      tool,
      {
        command:
          'cat project/a.txt .ssh/id .netrc .config/dragoman/models.yaml .aws/credentials; echo b >b.txt',
      },
      { root: home },
    )

    expect(text).toContain('seen')
    expect(text).not.toContain('hidden')
    expect(await readFile(join(home, 'b.txt'), 'utf8')).toBe('b\n')
  })

  test('has room for so many processes', async () => {
    const { tool, root } = await commandsIn({ shut })

    const { output } = await use(tool, { command: 'ulimit -u' }, { root })

    expect(Number((output as { output: string }).output)).toBeLessThanOrEqual(4096)
  })

  test('shows no process but its own', async () => {
    const { tool, root } = await commandsIn({ shut })

    const { output } = await use(tool, { command: `kill -0 ${process.pid} && echo seen` }, { root })

    expect(output).toMatchObject({ exitCode: 1 })
  })
})

describe('whether there is a sandbox', () => {
  const found = (path: string) => sandboxesOf({ env: { PATH: path } }).found()

  it('is said: where there is no bubblewrap', async () => {
    expect(await found(await noSandboxPath())).toEqual({
      works: false,
      note: expect.stringMatching(
        /^Commands run without a sandbox, for .*: they can read, write and end whatever/,
      ),
    })
  })

  it.skipIf(process.platform !== 'linux')('is said: where it may not do its work', async () => {
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

  it.skipIf(!SHUTS[1].works)('is tried again where there was none', async () => {
    const { outside } = await servedFolder()
    const { found: foundNow } = sandboxesOf({ env: { PATH: outside } })
    expect((await foundNow()).works).toBe(false)
    await symlink('/usr/bin/unshare', join(outside, 'unshare'))

    expect((await foundNow()).works).toBe(true)
  })

  it.each(SHUTS.filter(({ works }) => works))('is said: where $shut works', async ({ shut }) => {
    expect(await sandboxesOf({}, shut).found()).toMatchObject({
      works: true,
      note: expect.stringMatching(`^Commands run in a sandbox \\(${shut}\\): .* they have no network\\.$`),
    })
  })
})
