import { enableCompileCache, flushCompileCache } from 'node:module'

// This process is begun over and over again, and seldom ends by itself, which is when the cache would be kept.
enableCompileCache()
await import('./story-server.ts')
flushCompileCache()
