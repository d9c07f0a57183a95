import { execFile } from 'node:child_process'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { SQLITE_BIN } from '../../../../test/support/process.ts'
import { command } from './index.ts'

describe('dragoman token', () => {
  let home: string
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'dragoman-test-'))
  })
  afterEach(() => rm(home, { recursive: true }))

  const run = (...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> =>
    new Promise((resolve) => {
      // No warnings of an older Node among the words.
      const words = ['--no-warnings', SQLITE_BIN, 'token', ...args, '--home', join(home, 'new')]
      const child = execFile(process.execPath, words, (_error, stdout, stderr) =>
        resolve({ code: child.exitCode ?? -1, stdout, stderr }),
      )
    })

  /** The same in this process, which starts no other. */
  const runHere = async (...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> => {
    const stdout = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    try {
      const named = args.length > 0 ? ['--home', join(home, 'new')] : []
      const code = await command(['token', ...args, ...named])
      const [written, complaint] = [stdout, stderr].map(({ mock }) =>
        mock.calls.map(([text]) => text).join(''),
      )
      return { code, stdout: written ?? '', stderr: complaint ?? '' }
    } finally {
      stdout.mockRestore()
      stderr.mockRestore()
    }
  }

  it('creates, lists and revokes tokens, and prints only the secret to stdout', async () => {
    const made = await run('create', '--name', 'my phone', '--user', 'ada')
    const again = await run('create', '--name', 'my phone')
    const listed = await run('list')
    const revoked = await run('revoke', 'my phone')

    expect(made.code).toBe(0)
    expect(made.stdout).toMatch(/^dgm_[\w-]{43}\n$/)
    expect(made.stderr).toMatch(
      /^Token my phone \(tok_[\w-]{12}\) of the user ada\. It is shown only now:\n$/,
    )
    expect(again).toEqual({
      code: 1,
      stdout: '',
      stderr: 'dragoman: There is a token my phone already: revoke it, or take another name.\n',
    })
    expect(listed.stdout).toMatch(
      /^ID +NAME +USER +CREATED +LAST USED\ntok_[\w-]{12} +my phone +ada +\S+Z +never\n$/,
    )
    expect(revoked.stderr).toMatch(/^Token my phone .* is revoked\.\n$/)
    expect((await run('list')).stderr).toContain('There are no tokens.')
    expect(await run('revoke', 'my phone')).toMatchObject({
      code: 1,
      stderr: 'dragoman: There is no token my phone.\n',
    })
    // Nobody else on this machine may read what is kept.
    expect((await stat(join(home, 'new/dragoman.db'))).mode & 0o077).toBe(0)
  })

  it('creates a token of a value that a client brings, and prints the value nowhere', async () => {
    const value = 'bdlkabcdefghijklmnopabcdefghijkl'
    const made = await runHere('create', '--name', 'extension', '--value', value)

    expect(made).toMatchObject({ code: 0, stdout: '' })
    expect(made.stderr).toMatch(/^Token extension \(tok_[\w-]{12}\) of the user local, who owns the server\./)
    expect(made.stderr + (await run('list')).stdout).not.toContain(value)
  })

  it.each([
    [['create'], "Required option '--name <NAME>' not specified. See dragoman token create --help."],
    [['create', '--name', 'x', 'more'], "Too many arguments for 'create'"],
    [['create', '--name', 'x', '--user', 'A B'], '--user must be'],
    [['create', '--name', 'x', '--value', 'too-short'], '--value must be 16 to 200'],
    [['revoke'], "Missing required argument 'NAME'. See dragoman token revoke --help."],
    [['list', '--name', 'x'], "Unknown option '--name'."],
    [['lsit'], "Unknown command 'lsit'. Did you mean list?"],
    [[], 'create [options]'],
  ])('rejects %j', async (args, words) => {
    const { code, stdout, stderr } = await runHere(...args)

    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(words)
  })
})
