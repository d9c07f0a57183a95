#!/usr/bin/env node
import { enableCompileCache } from 'node:module'

// Before the rest is loaded, or it would not be cached.
enableCompileCache()

const { command } = await import('./cli/index.ts')
process.exitCode = await command(process.argv.slice(2))
