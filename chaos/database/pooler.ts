import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { giveToOrdinaryUser, ordinaryUser } from './postgres-binaries.ts'
import { answers, freePort } from './postgres-server.ts'

const PROGRAM = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/usr/local/bin/pgbouncer'].find((path) =>
  existsSync(path),
)

/** A PgBouncer in front of a database. */
export interface Pooler extends AsyncDisposable {
  readonly url: string
  /** Kills it, and starts it again. */
  restart(): Promise<void>
}

/** Whether PgBouncer is installed. */
export const hasPgBouncer = PROGRAM !== undefined

/** @throws if PgBouncer is not installed */
export async function openPooler(
  folder: string,
  { target, mode }: { readonly target: string; readonly mode: 'session' | 'transaction' },
): Promise<Pooler> {
  if (PROGRAM === undefined) throw new Error('PgBouncer is not installed.')
  const program = PROGRAM
  await mkdir(folder, { recursive: true })
  const file = join(folder, 'pgbouncer.ini')
  const url = new URL(target)
  const users = join(folder, 'users.txt')
  const { port: targetPort, hostname } = url
  url.port = String(await freePort())
  await writeFile(users, '"postgres" ""\n')
  await writeFile(
    file,
    `[databases]
* = host=${hostname} port=${targetPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${url.port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = ${mode}
default_pool_size = 80
max_client_conn = 1000
server_login_retry = 1
ignore_startup_parameters = extra_float_digits,options
`,
  )
  for (const path of [folder, file, users]) await giveToOrdinaryUser(path)
  let child: ChildProcess | undefined
  const start = async (): Promise<void> => {
    child = spawn(program, ['--quiet', file], { ...ordinaryUser(), cwd: '/', stdio: 'ignore' })
    await answers(url.href)
  }
  const end = async (): Promise<void> => {
    const ending = child
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return
    const exited = once(ending, 'exit')
    ending.kill('SIGKILL')
    await exited
  }
  await start()
  return {
    url: url.href,
    async restart() {
      await end()
      await start()
    },
    [Symbol.asyncDispose]: end,
  }
}
