import type { Condition } from 'dragoman/modules'
import { lazy } from 'dragoman/async'
import type { Sandboxes } from '../commands/sandbox.ts'
import type { Searcher } from './searcher.ts'

/** What searches here: ripgrep in a sandbox, where there are both and they work, else the plain search. */
export interface Which {
  searcher(): Promise<Searcher>
  condition(): Promise<Condition>
}

export function chooseSearcher(
  sandboxes: Pick<Sandboxes, 'found' | 'around'>,
  /** @throws where there is no ripgrep for this platform */
  rgPath: () => Promise<string> = async () => (await import('@vscode/ripgrep')).rgPath,
): Which {
  const plain = lazy(async () => (await import('./plain-searcher.ts')).plainSearcher())
  const found = lazy(async () => {
    try {
      if (!(await sandboxes.found()).works) return undefined
      const [path, { ripgrep }] = await Promise.all([rgPath(), import('./ripgrep.ts')])
      const searcher = ripgrep(path, sandboxes)
      const here = import.meta.dirname
      const ground = { root: here, start: '', skip: [], bounds: { base: here, closed: [] } }
      // What is there need not run.
      for await (const _ of searcher.files(ground, AbortSignal.timeout(5000))) break
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
            'Searching takes longer, and expressions are those of JavaScript: ripgrep is used only where a sandbox works and it is there for this platform.',
          ]
      return { available: true, notes }
    },
  }
}
