import type { Condition } from '../../../agent/index.ts'
import { once } from '../../../once.ts'
import type { Searcher } from './searcher.ts'

/** What searches here: ripgrep, where this platform's package is there and runs, else the plain search. */
export interface Which {
  searcher(): Promise<Searcher>
  condition(): Promise<Condition>
}

export function whichSearcher(
  /** @throws where there is no ripgrep for this platform */
  rgPath: () => Promise<string> = async () => (await import('@vscode/ripgrep')).rgPath,
): Which {
  const plain = once(async () => (await import('./plain.ts')).plainSearcher())
  const found = once(async () => {
    try {
      const [path, { ripgrep }] = await Promise.all([rgPath(), import('./ripgrep.ts')])
      const searcher = ripgrep(path)
      // What is there need not run.
      for await (const _ of searcher.files(
        { root: import.meta.dirname, start: '', skip: [] },
        AbortSignal.timeout(5000),
      ))
        break
      return searcher
    } catch {
      return undefined
    }
  })
  return {
    searcher: async () => (await found()) ?? plain(),
    async condition() {
      const notes = (await found())
        ? []
        : [
            'ripgrep is not there for this platform: searching takes longer, and expressions are those of JavaScript.',
          ]
      return { available: true, notes }
    },
  }
}
