import { copyFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { hasSandboxKind, countProcesses } from '../../src/commands/commands.fixture.ts'
import { OUTSIDE, RACE_SECONDS, raceServer, SWAPPER } from '../support/races.ts'

/** Commands of a server that is given one program alone for its PATH. */
const PATH = 'PATH=/usr/sbin:/usr/bin:/sbin:/bin'
const SANDBOXES = [
  // DRAGOMAN_BWRAP names a bwrap that is not in the PATH; where there is none, it cannot be tried.
  { sandbox: 'bubblewrap', works: await hasSandboxKind('bubblewrap') },
  { sandbox: 'unshare', works: await hasSandboxKind('unshare') },
] as const

describe.skipIf(process.platform !== 'linux').each(SANDBOXES)(
  'a command in the sandbox of $sandbox',
  ({ sandbox, works }) => {
    const test = it.skipIf(!works)

    test(
      'cannot swap a folder to give another command access outside',
      async () => {
        const { root, home, run } = await raceServer(sandbox)
        await copyFile(SWAPPER, join(root, 'swapper.pl'))
        // The server's own home, which another command would have for its workspace.
        const swap = `${PATH}; ln -s ${home} to-home; perl swapper.pl sub to-home ${RACE_SECONDS + 1}`
        const swapping = run(root, [['execute_command', { command: swap }]])
        let over = false
        void swapping.finally(() => (over = true))
        const look = `${PATH}; cat *.yaml; ls -a; echo written >written.txt; pwd; ls -a /proc/self/cwd/`
        const output: string[] = []

        while (!over)
          output.push(
            await run(join(root, 'sub'), [
              ['execute_command', { command: look }],
              ['execute_command', { command: look }],
              ['search_files', { pattern: 'OUT-OF[-]BOUNDS' }],
              ['glob_files', { pattern: '**/*' }],
            ]),
          )

        expect(await swapping).toMatch(/Exit code 0/)
        // The number of swaps is even, so it is the folder again.
        expect(await run(join(root, 'sub'), [['execute_command', { command: look }]])).toContain('inside.txt')
        expect(output.filter((text) => text.includes(OUTSIDE) || text.includes('dragoman.db'))).toEqual([])
        await expect(readFile(join(home, 'written.txt'))).rejects.toMatchObject({ code: 'ENOENT' })
      },
      RACE_SECONDS * 1000 + 60_000,
    )

    test('cannot rename a parent of a hidden place or find it under another name', async () => {
      const { root, run } = await raceServer(sandbox, { home: 'root/.config/dragoman', user: 'root' })
      for (const folder of ['gh', 'mine']) await mkdir(join(root, '.config', folder))
      await writeFile(join(root, '.config/gh/hosts.yml'), OUTSIDE)
      const see = 'cat .config*/gh/hosts.yml .config*/dragoman/*; ls .config*/dragoman .config*/gh'

      const [before, moved, after] = [
        await run(root, [['execute_command', { command: `${PATH}; ${see}` }]]),
        await run(root, [
          ['execute_command', { command: `${PATH}; mv .config .config2; mv .config/gh gh2; echo $?` }],
        ]),
        await run(root, [['execute_command', { command: `${PATH}; ${see}; touch .config/mine/new` }]]),
      ]

      expect(before + after).not.toMatch(`${OUTSIDE}|dragoman\\.db`)
      expect(moved).toMatch(/busy|Read-only/)
      expect(await readFile(join(root, '.config/mine/new'), 'utf8')).toBe('')
    })

    test('reaches neither the server nor any other service on this machine', async () => {
      const { root, server, run } = await raceServer(sandbox)
      const { port } = new URL(server.url)
      const command = `${PATH}; exec 3<>/dev/tcp/127.0.0.1/${port} && echo reached`

      expect(await run(root, [['execute_command', { command }]])).toMatch(/refused|unreachable/)
    })

    test('reaches the server without a token if the owner opened the network', async () => {
      const { root, server, run } = await raceServer(sandbox, {
        flags: ['--command-network', 'open', '--require-token'],
        users: ['ada'],
      })
      const { port } = new URL(server.url)
      const request = String.raw`GET /v1/questions HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n`
      const command = `${PATH}; exec 3<>/dev/tcp/127.0.0.1/${port}; printf '${request}' >&3; head -1 <&3`

      expect(await run(root, [['execute_command', { command }]])).toContain('401')
    })

    test('sees no process of the server and leaves none behind', async () => {
      const { root, run } = await raceServer(sandbox)
      const word = `7775.${process.pid}`
      const command =
        `${PATH}; (setsid env -i bash -c "exec env -i sleep ${word}" &) ; cat /proc/*/environ | tr '\\0' ` +
        `'\\n' | grep -c ^SECRET_OF_TEST; kill -9 ${process.pid}; ls /proc | grep -c '^${process.pid}$'; ` +
        'sleep 0.2'

      expect(await run(root, [['execute_command', { command }]])).toMatch(/0\\n.*No such process.*0\\n/)
      await expect.poll(() => countProcesses(word)).toBe(0)
    })

    test('has limits for memory, files and in-memory folders', async () => {
      const { root, run } = await raceServer(sandbox, {
        config:
          'limits: { commandMemoryBytes: 268435456, commandFileBytes: 1048576, commandTmpBytes: 1048576, ' +
          'commandProcesses: 50 }',
      })
      const commands = [
        `perl -e '$x = "x" x (1 << 30); print "ke", "pt"'`,
        'head -c 2M /dev/zero >large; stat -c %s large',
        'for each in 1 2 3; do head -c 1M /dev/zero >/tmp/$each; done; du -sb /tmp | cut -f1',
        'for each in 1 2 3; do head -c 1M /dev/zero >/dev/shm/$each; done; echo x >/dev/more',
      ]

      const output = await Promise.all(
        commands.map((command) => run(root, [['execute_command', { command: `${PATH}; ${command}` }]])),
      )

      expect(output[0]).toMatch(/Out of memory/)
      expect(output[0]).not.toContain('kept')
      expect(output[1]).toMatch(/1048576/)
      expect(output[2]).toMatch(/No space left/)
      expect(output[3]).toMatch(/No space left.*Read-only file system/)
    })
  },
)

describe('a hidden place that was renamed', () => {
  it('stays closed to file tools and search', async () => {
    const { root, run, post } = await raceServer('nothing', { user: 'root' })
    for (const file of ['gh/hosts.yml', 'op/config.yaml']) {
      await mkdir(join(root, '.config', file, '..'), { recursive: true })
      await writeFile(join(root, '.config', file), OUTSIDE)
    }
    const reads = (config: string) =>
      run(root, [
        ['read_file', { path: `${config}/gh/hosts.yml` }],
        ['read_file', { path: `${config}/op/config.yaml` }],
        ['list_directory', { path: `${config}/op` }],
        ['write_file', { path: `${config}/op/evil.txt`, content: 'x' }],
        ['edit_file', { path: `${config}/gh/new.txt`, old_string: '', new_string: 'x' }],
        ['diff', { file_a: 'sub/inside.txt', file_b: `${config}/gh/hosts.yml` }],
        ['search_files', { pattern: 'OUT-OF[-]BOUNDS' }],
        ['glob_files', { pattern: '**/*.yaml' }],
      ])
    const before = await reads('.config')
    await rename(join(root, '.config'), join(root, '.config2'))

    const after = await reads('.config2')

    for (const output of [before, after]) {
      expect(output).not.toContain(OUTSIDE)
      expect(output.match(/"code":"forbidden"/g)).toHaveLength(6)
    }
    const opened = await post('/api/files/list', { workspaceRoot: join(root, '.config2/op') })
    expect(opened.status).toBe(403)
    await rename(join(root, '.config2'), join(root, '.config'))
  })
})
