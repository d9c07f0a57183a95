import { enableCompileCache, flushCompileCache } from 'node:module'

import { shiftClock } from './shift-clock.ts'

const shiftMs = Number(process.env['CHAOS_CLOCK_SHIFT_MS'] ?? 0)
if (shiftMs !== 0) shiftClock(shiftMs)
// This process starts often and rarely ends by itself, which is when Node writes the cache.
enableCompileCache()
await import('./story-server.ts')
flushCompileCache()
