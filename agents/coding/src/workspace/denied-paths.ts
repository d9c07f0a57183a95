import { readlink, realpath, stat } from 'node:fs/promises'
import { homedir, userInfo } from 'node:os'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'

import { askOnce } from './ask-once.ts'
import { identityOf } from './file-stamp.ts'
import { foldName } from './is-within.ts'
import { createEvidence, type Evidence, type IsCurrent } from './look-evidence.ts'
import { aliasesOf } from './mount-aliases.ts'
import { SECRETS } from './secrets.ts'

/** A file or folder that no tool may show or make: the server's own, or one with keys of its user. */
export type DeniedPath = {
  /** One of its real paths when the server saw it last: a second mount has one of its own. */
  readonly path: string
} & (
  | {
      /** What it is known by, also under another name. */
      readonly id: string
      readonly missingIn?: undefined
    }
  | {
      readonly id?: undefined
      /** It does not exist, and this is the deepest folder above it that does. */
      readonly missingIn: string
    }
)

export interface DeniedPaths {
  /** All places, also those that do not exist. A renamed place stays closed. */
  all(): Promise<readonly DeniedPath[]>
}

/** `server` is the home of the server, `users` are the homes of its user. */
export function createDeniedPaths(server: string | undefined, users: readonly string[]): DeniedPaths {
  const homes = [...new Set(users)]
  const places = new Map<string, DeniedPath>()
  let last:
    | { readonly all: readonly DeniedPath[]; readonly size: number; readonly isCurrent: IsCurrent }
    | undefined
  return {
    async all() {
      const before = last
      if (before && (await before.isCurrent()) && before.size === places.size) return before.all
      const evidence = await createEvidence()
      const look = createLook(homes, evidence)
      const named = homes.flatMap((home) => SECRETS.map((name) => look.named(home, name)))
      const paths = [server ?? [], (await Promise.all(named)).flat()].flat()
      const found = (await Promise.all(paths.map(look.places))).flat()
      for (const place of found) {
        const key = `${place.id} ${place.path}`
        if (place.id !== undefined && !places.has(key)) places.set(key, place)
      }
      const all = [...places.values(), ...found.filter(({ id }) => id === undefined)]
      last = { all, size: places.size, isCurrent: await evidence.seal() }
      return all
    },
  }
}

/** Where a path leads by now. `missingIn` is the deepest folder above it that exists, unless it does itself. */
type Found = { readonly path: string; readonly missingIn?: string }

/** Links that lead on to links, at most: as many as Linux follows. */
const MAX_LINKS = 40

/** Follows paths step by step: where each step led is what the answer depends on. */
function createWalk(
  homes: readonly string[],
  { statsOf, names }: Evidence,
): (path: string) => Promise<Found> {
  const forms = askOnce(async (folder: string) => {
    const all = await names(folder)
    return all && new Set(all.map(foldName))
  })
  const walk = async (path: string, links: number): Promise<Found> => {
    const name = basename(path)
    if (name === '') return { path }
    const above = await (links === 0 ? find(dirname(path)) : walk(dirname(path), links))
    const at = join(above.path, name)
    if (above.missingIn !== undefined) return { path: at, missingIn: above.missingIn }
    // Most places do not exist, and the folder of many is read faster than each is asked for.
    const isAbsent =
      homes.some((home) => path.startsWith(home + sep)) &&
      (await forms(above.path))?.has(foldName(name)) === false
    const found = isAbsent ? undefined : await statsOf(at)
    if (found === undefined) return { path: at, missingIn: above.path }
    if (!found.isSymbolicLink()) return { path: await spelledPath(at) }
    // A link to what is not there: to write to it is to write there.
    const target = await readlink(at).catch(() => undefined)
    if (target === undefined || links >= MAX_LINKS) return { path: at, missingIn: above.path }
    return walk(resolve(above.path, target), links + 1)
  }
  const find = askOnce((path: string) => walk(path, 0))
  return find
}

/** Elsewhere a file system may take a name in other letters, and keeps it in its own. */
async function spelledPath(path: string): Promise<string> {
  return process.platform === 'linux' ? path : realpath(path).catch(() => path)
}

interface Look {
  /** The paths that a name stands for: with a star, those that exist. */
  named(home: string, name: string): Promise<readonly string[]>
  places(path: string): Promise<readonly DeniedPath[]>
}

/** Looks at many paths at one time: what they have in common, only once. */
function createLook(homes: readonly string[], evidence: Evidence): Look {
  const find = createWalk(homes, evidence)
  const isThere = async (path: string): Promise<boolean> => (await find(path)).missingIn === undefined
  const aliases = askOnce((path: string) => aliasesOf(path, evidence.mounts, isThere))
  const stats = askOnce((path: string) => stat(path, { bigint: true }).catch(() => undefined))
  const expand = async (folder: string, [name, ...rest]: readonly string[]): Promise<readonly string[]> => {
    if (name === undefined) return [folder]
    const all = name.includes('*')
      ? ((await evidence.names((await find(folder)).path)) ?? []).filter((each) => isMatch(name, each))
      : [name]
    return (await Promise.all(all.map((each) => expand(join(folder, each), rest)))).flat()
  }
  return {
    async named(home, name) {
      const all = await expand(home, name.split('/'))
      if (!name.includes('*')) return all
      const found = all.map(async (path) => ((await isThere(path)) ? [path] : []))
      return (await Promise.all(found)).flat()
    },
    async places(named) {
      const { path, missingIn = path } = await find(named)
      const all = [missingIn, ...(await aliases(missingIn))].map(async (name): Promise<DeniedPath[]> => {
        const [found, folder] = await Promise.all([stats(name), stats(missingIn)])
        if (found === undefined || folder === undefined) return []
        if (missingIn === path) return [{ path: name, id: identityOf(found) }]
        // A mount that shows only a part of the folder does not show the place.
        const isSame = folder.isDirectory() && identityOf(found) === identityOf(folder)
        return isSame ? [{ path: join(name, relative(missingIn, path)), missingIn: name }] : []
      })
      return (await Promise.all(all)).flat()
    },
  }
}

/** Whether a name fits one with a star for any characters. */
function isMatch(pattern: string, name: string): boolean {
  const [start = '', end = ''] = pattern.split('*')
  return name.length >= start.length + end.length && name.startsWith(start) && name.endsWith(end)
}

/** The homes of the server's user: the one in the environment and the one of the account. */
export function userHomes(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  return [env['HOME'] ?? homedir(), accountHome() ?? []].flat()
}

function accountHome(): string | undefined {
  try {
    return userInfo().homedir
  } catch {
    return undefined
  }
}
