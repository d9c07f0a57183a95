import { afterEach, beforeEach, expect, vi } from 'vitest'

/** Of what they take badly, libraries often speak on the console alone: no test of the file may hear anything there. */
export function warnsOfNothing(): void {
  const warnings: unknown[] = []
  const note = (warning: Error): void => void warnings.push(String(warning))
  beforeEach(() => {
    process.on('warning', note)
    for (const how of ['warn', 'error'] as const)
      vi.spyOn(console, how).mockImplementation((...words: unknown[]) => void warnings.push(words))
  })
  afterEach(() => {
    process.off('warning', note)
    vi.restoreAllMocks()
    expect(warnings.splice(0)).toEqual([])
  })
}
