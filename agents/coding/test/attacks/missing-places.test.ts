import { lstat, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { hasSandboxKind } from '../../src/commands/commands.fixture.ts'
import { raceServer } from '../support/races.ts'

const PATH = 'PATH=/usr/sbin:/usr/bin:/sbin:/bin'
const SANDBOXES = [
  { sandbox: 'bubblewrap', works: await hasSandboxKind('bubblewrap') },
  { sandbox: 'unshare', works: await hasSandboxKind('unshare') },
] as const

/** What would hand the server's user over, and does not exist. */
const PLANTS =
  `.ssh/authorized_keys .gitconfig .config/git/config .npmrc .docker/config.json .config/gh/hosts.yml
  .bashrc .profile .zshenv .vimrc .config/autostart/a.desktop .config/systemd/user/a.service`.split(/\s+/)

describe.skipIf(process.platform !== 'linux').each(SANDBOXES)(
  'a command in the home, in the sandbox of $sandbox',
  ({ sandbox, works }) => {
    it.skipIf(!works)('makes no hidden place that does not exist, and leaves no mount point', async () => {
      const { root, run } = await raceServer(sandbox, { user: 'root' })
      for (const folder of ['.config/app', '.local/share/app', 'project'])
        await mkdir(join(root, folder), { recursive: true })
      await symlink('.ssh', join(root, 'project/link'))
      await symlink('../.ssh', join(root, 'project/up'))
      const before = await readdir(root)
      const plant = PLANTS.map(
        (path) =>
          `mkdir -p $(dirname ${path}); echo evil >${path}; echo evil >project/file && mv project/file ${path}; ` +
          `mkdir -p project/folder && mv -T project/folder $(dirname ${path})`,
      )
      const command =
        `${PATH}; ${plant.join('; ')}; mv .config .config2; mv .local .local2; mkdir -p project/up; ` +
        'ln -s project .ssh; ln project/kept .npmrc; ' +
        'for each in project .config/app .local/share/app; do echo kept >$each/kept; done; cat .ssh/*; echo end'

      const output = await run(root, [['execute_command', { command }]])

      expect(output).toMatch(/end\\n/)
      for (const path of [...PLANTS, '.ssh', '.docker', '.config/git', '.config/gh', '.config2'])
        await expect(lstat(join(root, path)), path).rejects.toMatchObject({ code: 'ENOENT' })
      for (const path of ['project', '.config/app', '.local/share/app'])
        expect(await readFile(join(root, path, 'kept'), 'utf8')).toBe('kept\n')
      expect(await readdir(root)).toEqual(before)
    })
  },
)

describe('a file tool in the home', () => {
  it('changes nothing that a shell runs', async () => {
    const { root, run } = await raceServer('nothing', { user: 'root' })
    await writeFile(join(root, '.bashrc'), 'export A=1\n')
    await mkdir(join(root, 'dotfiles'))
    await writeFile(join(root, 'dotfiles/zshrc'), 'export A=1\n')
    await symlink('dotfiles/zshrc', join(root, '.zshrc'))

    const output = await run(
      root,
      ['.bashrc', '.BASHRC', 'dotfiles/zshrc', '.zshrc', 'dotfiles/../.bashrc'].flatMap((path) => [
        ['write_file', { path, content: 'evil' }],
        ['edit_file', { path, old_string: 'export A=1', new_string: 'evil' }],
      ]),
    )

    expect(output.match(/"code":"forbidden"/g)).toHaveLength(10)
    for (const path of ['.bashrc', '.zshrc'])
      expect(await readFile(join(root, path), 'utf8')).toBe('export A=1\n')
  })

  it('makes no hidden place, whatever leads to it', async () => {
    const { root, run } = await raceServer('nothing', { user: 'root' })
    await mkdir(join(root, 'project'))
    await symlink('../.ssh', join(root, 'project/up'))
    await symlink('.', join(root, 'project/here'))
    await symlink('.config', join(root, 'settings'))
    const forms = ['.SSH/authorized_keys', '.ſsh/x', '.s\u200csh/x', '.s\uFEFFsh/x', '.Config/GH/hosts.yml']
    const ways = ['project/up/x', 'settings/gh/hosts.yml', 'settings/git', 'project/here/../../.npmrc']
    const paths = [...PLANTS, ...forms, ...ways, join(root, '.aws/config'), 'none/../.ssh/x']

    const output = await run(
      root,
      paths.flatMap((path) => [
        ['write_file', { path, content: 'evil' }],
        ['edit_file', { path, old_string: '', new_string: 'evil' }],
      ]),
    )
    const made = await run(root, [['write_file', { path: '.config/app/a.txt', content: 'kept' }]])

    expect(output.match(/"code":"forbidden"/g)).toHaveLength(2 * paths.length)
    expect(made).not.toContain('forbidden')
    expect(await readFile(join(root, '.config/app/a.txt'), 'utf8')).toBe('kept')
    expect((await readdir(root)).filter((name) => /^\.(?!config$)/.test(name))).toEqual([])
  })
})
