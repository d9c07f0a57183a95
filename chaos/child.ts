import { enableCompileCache, flushCompileCache } from 'node:module'

// This process starts often and rarely ends by itself, which is when Node writes the cache.
enableCompileCache()
await import('./story-server.ts')
flushCompileCache()
