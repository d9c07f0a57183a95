import { isMainThread } from 'node:worker_threads'

import { loaded } from './loaded-modules.ts'

// To be preloaded by --import. Threads get it too.
if (isMainThread) process.once('exit', () => void process.stdout.write(`loaded ${JSON.stringify(loaded)}\n`))
