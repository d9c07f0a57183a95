// Loads the modules of each worker thread in a thread: Node caches code of threads and of processes separately.
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { startWorker } from '../../packages/dragoman/src/start-worker.ts'

const ROOT = join(import.meta.dirname, '../..')

for (const file of globSync('{packages,agents}/*/src/*/**/{*-,}worker.ts', { cwd: ROOT })) {
  const module = pathToFileURL(join(ROOT, file.replace(/\.ts$/, '')))
  const thread = startWorker(module, { execArgv: [], resourceLimits: { maxOldGenerationSizeMb: 512 } })
  // The modules are loaded once the thread sends a message, or has ended because it was given nothing to do.
  const signal = AbortSignal.timeout(60_000)
  await Promise.race(['message', 'exit'].map((name) => once(thread, name, { signal }))).catch(() => undefined)
  await thread.terminate()
}
await import('../../packages/dragoman/src/isolate/worker-host.ts').catch(() => undefined)
