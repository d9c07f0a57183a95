import { afterEach, beforeEach, expect, vi } from 'vitest'

/** Of what they take badly, libraries often speak on the console alone: no test of the file may hear anything there. */
export function warnsOfNothing(): void {
  const heard: unknown[] = []
  const note = (warning: Error): void => void heard.push(String(warning))
  beforeEach(() => {
    process.on('warning', note)
    for (const how of ['warn', 'error'] as const)
      vi.spyOn(console, how).mockImplementation((...words: unknown[]) => void heard.push(words))
  })
  afterEach(() => {
    process.off('warning', note)
    vi.restoreAllMocks()
    expect(heard.splice(0)).toEqual([])
  })
}
