import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setFlagsFromString } from 'node:v8'
import { Worker, type WorkerOptions } from 'node:worker_threads'

const FROM_SOURCES = import.meta.url.endsWith('.ts')

// From sources, Node takes types away by WebAssembly, on each thread anew. V8 13.6 compiles a call out of WebAssembly once it has been made
// often, for the whole process; of two threads that do so at once, one frees what the other uses: one thread in 1,500 took the process
// along, by SIGSEGV. What is never compiled is never freed. See docs/decisions/2026-11-22-threads-from-sources.md.
if (FROM_SOURCES) setFlagsFromString(`--wasm-wrapper-tiering-budget=${2 ** 31 - 1}`)

/** Starts a thread. `module` is named without its ending: sources start sources, the built package what was built. */
export function startWorker(module: URL, options: WorkerOptions): Worker {
  return new Worker(withExtension(module), { ...options, ...withoutWatchReports() })
}

const children = new Set<ChildProcess>()

/** Starts a process that is spoken with as a thread is, in what can be cloned. Without the parent's flags: a test runner's loaders are not for it. */
export function startProcess(module: URL, args: readonly string[]): ChildProcess {
  const child = fork(withExtension(module), args, {
    execArgv: [],
    ...withoutWatchReports(),
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  // One that could not be started has no end either.
  if (child.pid !== undefined) children.add(child)
  child.once('exit', () => children.delete(child))
  return child
}

/** Ends what was started, and waits until it is gone: whoever ends afterwards leaves nothing for the system to clear away. */
export async function killProcesses(): Promise<void> {
  const ends = [...children].map((child) => once(child, 'exit'))
  for (const child of children) {
    child.ref()
    child.kill('SIGKILL')
  }
  await Promise.all(ends)
}

/** Under `node --watch`, whatever is started tells who started it what it has loaded, in the midst of what it is asked. */
function withoutWatchReports(): { env?: NodeJS.ProcessEnv } {
  const { WATCH_REPORT_DEPENDENCIES: isWatched, ...env } = process.env
  return isWatched === undefined ? {} : { env }
}

function withExtension(module: URL): URL {
  return new URL(module.href + (FROM_SOURCES ? '.ts' : '.js'))
}
