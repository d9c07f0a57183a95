import { setPriority } from 'node:os'
import process from 'node:process'

import { OOM_EXIT_CODE } from './isolated-worker.ts'
import { startWorker } from '../start-worker.ts'

/**
 * The process of a worker thread. If the thread crashes, only this process ends. It passes on requests and
 * answers.
 */

/** A third of the server's processor time while both want it: this work takes seconds, and streams do not wait. */
const NICENESS = 5

const [module = '', megabytes = ''] = process.argv.slice(2)

setPriority(NICENESS)
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

// It ends when the server ends, even if the thread is busy. It does not end before: a server that shuts down may
// still need it.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
