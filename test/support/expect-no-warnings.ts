import { afterEach, beforeEach, expect, vi } from 'vitest'

/**
 * Fails each test of the file in which a library prints a warning or an error to the console, or Node emits a warning.
 * AG-UI clients also print the error with which `runAgent` rejects; that does not count.
 */
export function expectNoWarnings(): void {
  const warnings: unknown[] = []
  const note = (warning: Error): void => void warnings.push(String(warning))
  beforeEach(() => {
    process.on('warning', note)
    for (const how of ['warn', 'error'] as const)
      vi.spyOn(console, how).mockImplementation((...words: unknown[]) => {
        if (words[0] !== 'Agent execution failed:') warnings.push(words)
      })
  })
  afterEach(() => {
    process.off('warning', note)
    vi.restoreAllMocks()
    expect(warnings.splice(0)).toEqual([])
  })
}
