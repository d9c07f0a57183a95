import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { describe, expect, it } from 'vitest'

const BIN = join(import.meta.dirname, '../bin.ts')

/** All files that are loaded with one, and what each names: `import type` is nothing, and `import()` waits until it is reached. */
function loadedWith(file: string, found = new Map<string, string[]>()): Map<string, string[]> {
  if (found.has(file)) return found
  const source = readFileSync(file, 'utf8')
  const named = Array.from(source.matchAll(/^(?:import|export)\b(?! type)[^'"]*?from ['"]([^'"]+)['"]/gms))
  const names = named.map(([, name = '']) => name)
  found.set(file, names)
  // The one door that is opened at once.
  const door = file === BIN ? ['./cli/index.ts'] : []
  for (const name of [...names, ...door])
    if (name.startsWith('.')) loadedWith(join(dirname(file), name), found)
  return found
}

describe('telemetry that nobody wants', () => {
  it('is not even loaded', () => {
    const loaded = loadedWith(BIN)
    const all = [...loaded.keys()].map((file) => file.slice(dirname(BIN).length + 1))

    expect(all).toEqual(expect.arrayContaining(['main.ts', 'telemetry/telemetry.ts', 'telemetry/attempt.ts']))
    expect(all).not.toContain('telemetry/otel.ts')
    expect([...loaded.values()].flat().filter((name) => name.startsWith('@opentelemetry'))).toEqual([])
  })
})
