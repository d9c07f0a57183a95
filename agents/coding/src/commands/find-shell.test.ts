import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { findShell } from './find-shell.ts'

const only = (path: string) => async (platform: string) => platform === path

describe('findShell', () => {
  it('prefers bash on Unix', async () => {
    const at = (path: string) => findShell({ platform: 'linux', env: {}, isReadable: only(path) })

    expect(await at('/bin/bash')).toEqual({ file: '/bin/bash', args: ['-c'] })
    expect(await at('/bin/sh')).toEqual({ file: '/bin/sh', args: ['-c'] })
  })

  it('prefers the bash of Git on Windows, then PowerShell, then cmd', async () => {
    const env = { ProgramFiles: 'C:\\Program Files', SystemRoot: 'C:\\Windows' }
    const at = (...path: string[]) => findShell({ platform: 'win32', env, isReadable: only(join(...path)) })
    const git = ['C:\\Program Files', 'Git', 'bin', 'bash.exe']

    expect(await at(...git)).toEqual({ file: join(...git), args: ['-c'] })
    expect(
      (await at('C:\\Windows', 'System32', 'WindowsPowerShell', 'v1.0', 'powershell.exe')).args,
    ).toContain('-Command')
    expect((await at('C:\\Windows', 'System32', 'cmd.exe')).args).toEqual(['/d', '/s', '/c'])
  })

  it('throws if there is no shell', async () => {
    await expect(
      findShell({ platform: 'linux', env: {}, isReadable: async () => false }),
    ).rejects.toMatchObject({
      code: 'unavailable',
      message: 'This machine has no shell that could run commands.',
    })
  })
})
