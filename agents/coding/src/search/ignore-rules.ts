import { join } from 'node:path'
import { dirname } from 'node:path/posix'

import ignore, { type Ignore } from 'ignore'

import { openFolderHandle, type Bounds } from '../workspace/folder-handle.ts'
import { readSearchBytes } from './read-search-text.ts'
import type { SearchArea } from './searcher.ts'

const MAX_FILE_BYTES = 1024 * 1024

/** What .gitignore files say, from the root of a workspace down. */
export interface Rules {
  /** A folder's path ends in a slash. */
  ignores(path: string): Promise<boolean>
  /** Whether what is looked through was itself named though it is ignored. */
  startIsIgnored(): Promise<boolean>
  /** Whether a file of rules stands in the root itself. */
  areAtRoot(): Promise<boolean>
}

export function ignoreRules({ root, start, bounds }: Pick<SearchArea, 'root' | 'start' | 'bounds'>): Rules {
  const cache = new Map<string, Promise<Ignore>>()
  const above = (folder: string): Promise<Ignore> =>
    folder === '' ? Promise.resolve(NO_RULES) : rulesOf(parentOf(folder))
  const startIsIgnored = async (): Promise<boolean> =>
    start !== '' && (await above(start)).ignores(`${start}/`)
  const read = async (folder: string): Promise<Ignore> => {
    // Who names an ignored folder means it: what is said above it does not hold in it.
    const inherited = folder === start && (await startIsIgnored()) ? NO_RULES : await above(folder)
    const own = await readRules(bounds, join(root, folder))
    return own === undefined
      ? inherited
      : ignore({ ignoreCase: false }).add(inherited).add(anchorRules(folder, own))
  }
  const rulesOf = (folder: string): Promise<Ignore> => {
    const rules = cache.get(folder) ?? read(folder)
    cache.set(folder, rules)
    return rules
  }
  return {
    startIsIgnored,
    areAtRoot: async () => (await readRules(bounds, root)) !== undefined,
    async ignores(path) {
      const rules = await rulesOf(parentOf(path.replace(/\/$/, '')))
      return rules.ignores(path)
    },
  }
}

const NO_RULES = ignore({ ignoreCase: false })

function parentOf(path: string): string {
  const parent = dirname(path)
  return parent === '.' ? '' : parent
}

/** What the `.gitignore` of a folder says. */
async function readRules(bounds: Bounds, folder: string): Promise<string | undefined> {
  try {
    await using held = await openFolderHandle(bounds, folder)
    return (await readSearchBytes(bounds, join(held.at, '.gitignore'), MAX_FILE_BYTES))?.toString('utf8')
  } catch {
    return undefined
  }
}

/** Rules of a folder, said from the root: those of deeper folders come later, and so win. */
function anchorRules(folder: string, rules: string): string[] {
  const base = folder.replace(/[\\*?[\]!# ]/g, '\\$&')
  return rules
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .filter((rule) => rule.trim() !== '' && !rule.startsWith('#'))
    .map((rule) => {
      const [, not = '', body = ''] = /^(!?)(.*)$/s.exec(rule) ?? []
      const isAnchored = /\/(?!\s*$)/.test(body)
      const within = folder === '' ? '' : `/${base}`
      if (isAnchored) return `${not}${within}${body.startsWith('/') ? '' : '/'}${body}`
      return within === '' ? rule : `${not}${within}/**/${body}`
    })
}
