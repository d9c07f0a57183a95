import { access } from 'node:fs/promises'
import { join } from 'node:path'

import { ServiceError } from 'dragoman/errors'

/** A program and what it is given before the command. */
export type Shell = { readonly file: string; readonly args: readonly string[] }

type ShellOptions = {
  readonly platform: NodeJS.Platform
  readonly env: Readonly<Record<string, string | undefined>>
  readonly isReadable?: (path: string) => Promise<boolean>
}

/** Finds bash, which models write for, or another shell of the system. @throws ServiceError `unavailable` */
export async function findShell({ platform, env, isReadable = canRead }: ShellOptions): Promise<Shell> {
  for (const shell of platform === 'win32' ? windowsShells(env) : UNIX_SHELLS)
    if (await isReadable(shell.file)) return shell
  throw new ServiceError('unavailable', 'This machine has no shell that could run commands.')
}

const UNIX_SHELLS: readonly Shell[] = ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash', '/bin/sh'].map(
  (file) => ({ file, args: ['-c'] }),
)

/** Git brings a bash with it. The one in System32 is another machine's: that of Linux on Windows. */
function windowsShells(env: ShellOptions['env']): readonly Shell[] {
  const programs = [env['ProgramFiles'], env['ProgramFiles(x86)'], env['LocalAppData']].flatMap(
    (folder) => folder ?? [],
  )
  const system = join(env['SystemRoot'] ?? 'C:\\Windows', 'System32')
  return [
    ...programs.flatMap((folder) =>
      [folder, join(folder, 'Programs')].map((each) => ({
        file: join(each, 'Git', 'bin', 'bash.exe'),
        args: ['-c'],
      })),
    ),
    {
      file: join(system, 'WindowsPowerShell', 'v1.0', 'powershell.exe'),
      args: ['-NoProfile', '-NonInteractive', '-Command'],
    },
    { file: join(system, 'cmd.exe'), args: ['/d', '/s', '/c'] },
  ]
}

function canRead(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
