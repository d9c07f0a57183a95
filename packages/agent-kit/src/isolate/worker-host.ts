import process from 'node:process'

import { OOM_EXIT_CODE } from './isolated-worker.ts'
import { startWorker } from 'dragoman/worker'

/** The process that a side thread lives in: whatever the thread is made to do ends no more than it. It passes on what is asked and answered. */

const [module = '', megabytes = ''] = process.argv.slice(2)

const thread = startWorker(new URL(module), {
  execArgv: [],
  resourceLimits: { maxOldGenerationSizeMb: Number(megabytes) },
})
thread.on('message', (message: unknown) => process.send?.(message))
thread.on('error', (error) => {
  if ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') process.exit(OOM_EXIT_CODE)
  throw error
})
thread.on('exit', (code) => process.exit(code))
process.on('message', (request) => thread.postMessage(request))

// It ends with the server, however that ends and however busy the thread is; and not before: a server that is told to end finishes first.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
