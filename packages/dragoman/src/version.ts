import { readFileSync } from 'node:fs'

/** It lies one folder up, from the sources as from the build. */
const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string
  engines: { node: string }
}

/** The package's own. */
export const version: string = manifest.version

/** The oldest Node that it runs on. */
export const MIN_NODE_VERSION: string = manifest.engines.node.replace('>=', '')
