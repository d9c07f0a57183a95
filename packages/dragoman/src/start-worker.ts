import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setFlagsFromString } from 'node:v8'
import { isMainThread, Worker, type WorkerOptions } from 'node:worker_threads'

const FROM_SOURCES = import.meta.url.endsWith('.ts')

// From sources, Node strips types with WebAssembly, separately on each thread. V8 13.6 compiles a frequent call
// out of WebAssembly once for the whole process. If two threads do so at once, one frees what the other uses:
// one thread in 1,500 crashed the process with SIGSEGV. What is never compiled is never freed. See
// docs/decisions/2026-11-22-threads-from-sources.md.
if (FROM_SOURCES && isMainThread) setFlagsFromString(`--wasm-wrapper-tiering-budget=${2 ** 31 - 1}`)

/** Starts a thread. `module` has no extension: sources start sources, and the built package starts built files. */
export function startWorker(module: URL, options: WorkerOptions): Worker {
  return new Worker(withExtension(module), { ...options, ...withoutWatchReports() })
}

const children = new Set<ChildProcess>()

/**
 * Starts a process that exchanges messages as a thread does, with values that can be cloned. It gets no flags of the
 * parent, because the loaders of a test runner do not apply to it. `megabytes` limits its heap: it ends where it needs
 * more.
 */
export function startProcess(module: URL, args: readonly string[], megabytes?: number): ChildProcess {
  const child = fork(withExtension(module), args, {
    execArgv: megabytes === undefined ? [] : [`--max-old-space-size=${megabytes}`],
    ...withoutWatchReports(),
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  // One that could not be started has no end either.
  if (child.pid !== undefined) children.add(child)
  child.once('exit', () => children.delete(child))
  return child
}

/** Kills all started processes and waits for their exit, so that nothing is left for the system to clean up. */
export async function killProcesses(): Promise<void> {
  const ends = [...children].map((child) => once(child, 'exit'))
  for (const child of children) {
    child.ref()
    child.kill('SIGKILL')
  }
  await Promise.all(ends)
}

/** Under `node --watch`, each started process reports its loaded modules to its parent, between other messages. */
function withoutWatchReports(): { env?: NodeJS.ProcessEnv } {
  const { WATCH_REPORT_DEPENDENCIES: isWatched, ...env } = process.env
  return isWatched === undefined ? {} : { env }
}

function withExtension(module: URL): URL {
  return new URL(module.href + (FROM_SOURCES ? '.ts' : '.js'))
}
