import { lazy } from 'dragoman/async'
import type { Sandboxes } from '../commands/create-sandboxes.ts'
import type { Searcher } from './searcher.ts'

/** ripgrep in a sandbox if both work, else the plain search. */
export interface SearcherChoice {
  searcher(): Promise<Searcher>
  /** What users should know about the choice. */
  notes(): Promise<readonly string[]>
}

const PLAIN_NOTE =
  'Searching takes longer, and expressions are those of JavaScript: ' +
  'ripgrep is used only where a sandbox works and it is there for this platform.'

/** `rgPath` throws if there is no ripgrep for this platform. */
export function chooseSearcher(
  sandboxes: Pick<Sandboxes, 'detect' | 'wrap'>,
  rgPath: () => Promise<string> = async () => (await import('@vscode/ripgrep')).rgPath,
): SearcherChoice {
  const plain = lazy(async () => (await import('./plain-searcher.ts')).plainSearcher())
  const tryRipgrep = lazy(async () => {
    try {
      if (!(await sandboxes.detect()).works) return undefined
      const [path, { ripgrepSearcher: ripgrep }] = await Promise.all([
        rgPath(),
        import('./ripgrep-searcher.ts'),
      ])
      const searcher = ripgrep(path, sandboxes)
      const here = import.meta.dirname
      const ground = { root: here, start: '', skip: [], bounds: { base: here, closed: [] } }
      // An installed program may still not run.
      for await (const _ of searcher.files(ground, AbortSignal.timeout(5000))) break
      return searcher
    } catch {
      return undefined
    }
  })
  return {
    searcher: async () => (await tryRipgrep()) ?? plain(),
    notes: async () => ((await tryRipgrep()) ? [] : [PLAIN_NOTE]),
  }
}
