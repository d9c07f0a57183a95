import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { shellOf } from './shell.ts'

const only = (path: string) => async (asked: string) => asked === path

describe('the shell', () => {
  it('is bash, or what the system has', async () => {
    const at = (path: string) => shellOf({ platform: 'linux', env: {}, isThere: only(path) })

    expect(await at('/bin/bash')).toEqual({ file: '/bin/bash', args: ['-c'] })
    expect(await at('/bin/sh')).toEqual({ file: '/bin/sh', args: ['-c'] })
  })

  it('is, on Windows, the bash that Git brings, or PowerShell, or cmd', async () => {
    const env = { ProgramFiles: 'C:\\Program Files', SystemRoot: 'C:\\Windows' }
    const at = (...path: string[]) => shellOf({ platform: 'win32', env, isThere: only(join(...path)) })
    const git = ['C:\\Program Files', 'Git', 'bin', 'bash.exe']

    expect(await at(...git)).toEqual({ file: join(...git), args: ['-c'] })
    expect(
      (await at('C:\\Windows', 'System32', 'WindowsPowerShell', 'v1.0', 'powershell.exe')).args,
    ).toContain('-Command')
    expect((await at('C:\\Windows', 'System32', 'cmd.exe')).args).toEqual(['/d', '/s', '/c'])
  })

  it('is missed in plain words where there is none', async () => {
    await expect(shellOf({ platform: 'linux', env: {}, isThere: async () => false })).rejects.toMatchObject({
      code: 'unavailable',
      message: 'This machine has no shell that could run commands.',
    })
  })
})
