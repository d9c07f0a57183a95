import { realpath, stat } from 'node:fs/promises'
import { basename, delimiter, dirname, isAbsolute, join, sep } from 'node:path'

import { isWithin } from '../workspace/is-within.ts'
import type { Mount, MountPlan, MountRequest } from './mount-plan.ts'
import { homeFolders } from './other-homes.ts'
import { foldersToPin, sealFolders } from './seal-folders.ts'

/** Where the user's own things are, and where programs are looked for. */
export type UserPaths = { readonly homes: readonly string[]; readonly path: string }

/** What of a home belongs to no single project: programs. */
const HOME_TOOLS =
  `.local/bin .local/lib .local/share/fnm .local/share/mise .local/share/uv .local/share/pnpm .nvm .fnm .volta
  .asdf .pyenv .rbenv .sdkman .rustup .cargo/bin .bun/bin .deno/bin go/bin`.split(/\s+/)

/** Files of the machine that no user owns: what Docker hides of `/proc`, and all of `/sys`. */
const HIDDEN_SYSTEM_PATHS = [
  '/sys',
  ...`acpi asound interrupts kcore keys key-users kmsg latency_stats sched_debug scsi timer_list timer_stats`
    .split(' ')
    .map((name) => `/proc/${name}`),
]

/** Sockets of other programs are in `/run`, that of Docker among them; how names are looked up is left. */
const READABLE_RUN_PATHS = [
  '/run/systemd/resolve',
  '/run/resolvconf',
  '/run/NetworkManager/resolv.conf',
  '/run/current-system',
]

type Place = { readonly path: string; readonly as: 'empty' | 'temporary' | 'read' | 'write' }

/**
 * Plans what stands where in the sandbox: what is deeper counts more. The folders that are worked in can be written
 * to, unless only reading is wanted; homes are empty but for tools; closed places are empty.
 */
export async function planMounts({ homes, path }: UserPaths, request: MountRequest): Promise<MountPlan> {
  const { folders, closed, access, programs = [] } = request
  const real = await Promise.all(homes.map((home) => realpath(home).catch(() => '/')))
  // A user without a home has the root for one.
  const own = real.filter((home) => home !== '/')
  const all = await homeFolders(own)
  const tools = [...(await toolFolders({ own, all }, path)), ...programs]
  const hidden = closed.filter(
    (place) =>
      place.missingIn === undefined &&
      folders.every((folder) => folder.path !== place.path) &&
      ([...folders.map((folder) => folder.path), ...tools].some((each) => isWithin(each, place.path)) ||
        !all.some((home) => isWithin(home, place.path))),
  )
  const pins = await foldersToPin(folders, paths(hidden))
  const verified = [...folders.map(({ path: at, id }) => ({ path: at, id })), ...pins]
  const places = [
    as('empty', [...HIDDEN_SYSTEM_PATHS, ...all]),
    as('temporary', ['/tmp', '/var/tmp', '/run', ...own]),
    as('read', [...READABLE_RUN_PATHS, ...tools]),
    as(access, paths(verified)),
    as('empty', paths(hidden)),
  ].flat()
  const mounts = new Map((await Promise.all(places.map(toMount))).flat().map((each) => [each.at, each]))
  const seal = access === 'write' ? await sealFolders(folders, closed, mounts) : { mounts: [], verified: [] }
  for (const mount of seal.mounts) mounts.set(mount.at, mount)
  return {
    mounts: [...mounts.values()].toSorted((a, b) => depthOf(a.at) - depthOf(b.at)),
    verified: [...verified, ...seal.verified],
  }
}

function as(kind: Place['as'], each: readonly string[]): Place[] {
  return each.map((path) => ({ path, as: kind }))
}

function paths(places: readonly { readonly path: string }[]): readonly string[] {
  return places.map(({ path }) => path)
}

function depthOf(path: string): number {
  return path.split(sep).length
}

type Homes = { readonly own: readonly string[]; readonly all: readonly string[] }

/**
 * The folders of tools in homes: known ones of the own home, and those on the PATH with what lies next to them. A
 * program in the home of another user may need any of its parts, as Homebrew does.
 */
async function toolFolders({ own, all }: Homes, path: string): Promise<readonly string[]> {
  const folders = await Promise.all(
    path
      .split(delimiter)
      .filter((each) => isAbsolute(each))
      .map(async (each) =>
        all.some((home) => isWithin(home, each)) ? each : realpath(each).catch(() => each),
      ),
  )
  const onPath = folders.flatMap((folder) => {
    const isOwn = own.some((home) => isWithin(home, folder))
    if (!isOwn) return ['bin', 'sbin'].includes(basename(folder)) ? [dirname(folder)] : [folder]
    return [folder, basename(folder) === '.bin' ? dirname(folder) : join(dirname(folder), 'lib')]
  })
  const isInHome = (folder: string): boolean =>
    all.some((home) => isWithin(home, folder)) && !all.includes(folder)
  return [...own.flatMap((home) => HOME_TOOLS.map((name) => join(home, name))), ...onPath.filter(isInHome)]
}

/** Nothing for what is not there. */
async function toMount({ path, as: kind }: Place): Promise<readonly Mount[]> {
  try {
    const from = await realpath(path)
    // A link to a tool is no link any more; what is hidden is hidden where it is.
    if (kind === 'read' || kind === 'write') return [{ kind, from, at: path }]
    const emptyKind = (await stat(from)).isDirectory() ? 'folder' : 'file'
    return [{ kind: kind === 'temporary' ? kind : emptyKind, from, at: from }]
  } catch {
    return []
  }
}
