import { readFileSync } from 'node:fs'

/** The package's own: it lies one folder up, from the sources as from the build. */
export const version: string = (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
).version
