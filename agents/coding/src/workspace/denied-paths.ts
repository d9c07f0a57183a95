import { readdir, readlink, realpath, stat } from 'node:fs/promises'
import { homedir, userInfo } from 'node:os'
import { basename, dirname, join, relative, sep } from 'node:path'

import { foldName } from './is-within.ts'
import { aliasesOf, readMounts } from './mount-aliases.ts'
import { resolveReal } from './real-path.ts'
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
  const places = new Map<string, DeniedPath>()
  return {
    async all() {
      const look = await createLook(users)
      const named = users.flatMap((home) => SECRETS.map((name) => look.named(home, name)))
      const paths = [server ?? [], (await Promise.all(named)).flat()].flat()
      const found = (await Promise.all(paths.map(look.places))).flat()
      for (const place of found) {
        const key = `${place.id} ${place.path}`
        if (place.id !== undefined && !places.has(key)) places.set(key, place)
      }
      return [...places.values(), ...found.filter(({ id }) => id === undefined)]
    },
  }
}

/** Where a path leads by now. `missingIn` is the deepest folder above it that exists, unless it does itself. */
type Found = { readonly path: string; readonly missingIn?: string }

/** Looks at many paths at one time: what they have in common, only once. */
async function createLook(users: readonly string[]): Promise<{
  named: (home: string, name: string) => Promise<readonly string[]>
  places: (path: string) => Promise<readonly DeniedPath[]>
}> {
  const mounts = await readMounts()
  const names = once((folder: string) => readdir(folder).catch(() => undefined))
  const forms = once(async (folder: string) => {
    const all = await names(folder)
    return all && new Set(all.map(foldName))
  })
  const find = once(async (path: string): Promise<Found> => {
    // Most places do not exist, and the folder of many is read faster than each is asked for.
    const isAbsent =
      users.some((home) => path.startsWith(home + sep)) &&
      (await forms(dirname(path)))?.has(foldName(basename(path))) === false
    const real = isAbsent ? undefined : await realpath(path).catch(() => undefined)
    if (real !== undefined || dirname(path) === path) return { path: real ?? path }
    // A link to what is not there: to write to it is to write there.
    const isLink = !isAbsent && (await readlink(path).then(...YES_OR_NO))
    const target = isLink ? await resolveReal(path).catch(() => path) : path
    if (target !== path) return find(target)
    const above = await find(dirname(path))
    return { path: join(above.path, basename(path)), missingIn: above.missingIn ?? above.path }
  })
  const aliases = once((path: string) => aliasesOf(path, mounts))
  const stats = once((path: string) => stat(path, { bigint: true }).catch(() => undefined))
  const expand = async (folder: string, [name, ...rest]: readonly string[]): Promise<readonly string[]> => {
    if (name === undefined) return [folder]
    const all = name.includes('*')
      ? ((await names(folder)) ?? []).filter((each) => isMatch(name, each))
      : [name]
    return (await Promise.all(all.map((each) => expand(join(folder, each), rest)))).flat()
  }
  return {
    async named(home, name) {
      const all = await expand(home, name.split('/'))
      if (!name.includes('*')) return all
      const found = all.map(async (path) => ((await find(path)).missingIn === undefined ? [path] : []))
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

const YES_OR_NO = [() => true, () => false] as const

/** Whether a name fits one with a star for any characters. */
function isMatch(pattern: string, name: string): boolean {
  const [start = '', end = ''] = pattern.split('*')
  return name.length >= start.length + end.length && name.startsWith(start) && name.endsWith(end)
}

/** Asks for each path once. */
function once<Answer>(ask: (path: string) => Promise<Answer>): (path: string) => Promise<Answer> {
  const answers = new Map<string, Promise<Answer>>()
  return (path) => {
    const answer = answers.get(path) ?? ask(path)
    answers.set(path, answer)
    return answer
  }
}

export type Identity = { readonly dev: bigint; readonly ino: bigint; readonly birthtimeNs: bigint }

/** The same under each name. With the time of birth, a new file that gets the number of a deleted one is another. */
export function identityOf({ dev, ino, birthtimeNs }: Identity): string {
  return [dev, ino, birthtimeNs].join(':')
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
