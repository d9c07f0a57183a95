#!/usr/bin/env node
import { enableCompileCache } from 'node:module'

// Before the rest is loaded, or it would not be cached.
enableCompileCache()

// Node 22 says at each start that its SQLite is experimental. Who runs a server can do nothing about it; other warnings
// stay.
process.emitWarning = new Proxy(process.emitWarning, {
  apply(emitWarning, self, args) {
    if (!String(args[0]).startsWith('SQLite is an experimental feature'))
      Reflect.apply(emitWarning, self, args)
  },
})

// The reader of the output, such as head, may have enough of it.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(0)
})

const { useProxy } = await import('dragoman/config')
const { problem } = useProxy(process.env)
if (problem !== undefined) process.stderr.write(`dragoman: ${problem}\n`)

const { command } = await import('./cli/index.ts')
process.exitCode = await command(process.argv.slice(2))

const { killProcesses: endProcesses } = await import('dragoman/worker')
await endProcesses()
