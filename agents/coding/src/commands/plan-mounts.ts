import { realpath, stat } from 'node:fs/promises'
import { basename, delimiter, dirname, isAbsolute, join, relative, sep } from 'node:path'

import type { DeniedPath } from '../workspace/denied-paths.ts'
import { openFolderHandle, type Bounds } from '../workspace/folder-handle.ts'
import { isWithin } from '../workspace/is-within.ts'
import { homeFolders } from './other-homes.ts'

/** Where the user's own things are, and where programs are looked for. */
export type UserPaths = { readonly homes: readonly string[]; readonly path: string }

/** A folder as it stands, and the device and inode by which a sandbox recognizes it. */
export type IdentifiedFolder = { readonly path: string; readonly id: string }

/** What a sandbox is made for. */
export type MountRequest = {
  /** Folders that are worked in, each with how it is gone down to. */
  readonly folders: readonly (IdentifiedFolder & { readonly bounds: Bounds })[]
  /** Hidden places, also inside these folders, except a place that is itself one of them. */
  readonly closed: readonly DeniedPath[]
  readonly access: 'read' | 'write'
  /** Programs that can be read wherever they are. */
  readonly programs?: readonly string[]
}

/**
 * One mount: an empty folder or file that cannot be written; a temporary folder, all of which share one space; or what
 * is at `from`.
 */
export type Mount = {
  readonly kind: 'folder' | 'file' | 'temporary' | 'read' | 'write'
  readonly from: string
  readonly at: string
}

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
 * The mounts above a root that can only be read, in their order, and the folders that the sandbox checks before it
 * runs anything.
 */
export type MountPlan = { readonly mounts: readonly Mount[]; readonly verified: readonly IdentifiedFolder[] }

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
      folders.every((folder) => folder.path !== place.path) &&
      ([...folders.map((folder) => folder.path), ...tools].some((each) => isWithin(each, place.path)) ||
        !all.some((home) => isWithin(home, place.path))),
  )
  const pins = await foldersToPin(folders, hidden)
  const verified = [...folders.map(({ path: at, id }) => ({ path: at, id })), ...pins]
  const places = [
    as('empty', [...HIDDEN_SYSTEM_PATHS, ...all]),
    as('temporary', ['/tmp', '/var/tmp', '/run', ...own]),
    as('read', [...READABLE_RUN_PATHS, ...tools]),
    as(access, paths(verified)),
    as('empty', paths(hidden)),
  ].flat()
  const mounts = new Map((await Promise.all(places.map(toMount))).flat().map((each) => [each.at, each]))
  return {
    mounts: [...mounts.values()].toSorted((a, b) => depthOf(a.at) - depthOf(b.at)),
    verified,
  }
}

/**
 * Each folder between one that is worked in and a closed place below it. Mounted onto itself, it cannot be renamed:
 * with another name for
 * its parent, a closed place would not be hidden any more.
 */
async function foldersToPin(
  folders: MountRequest['folders'],
  hidden: readonly DeniedPath[],
): Promise<readonly IdentifiedFolder[]> {
  const between = folders.flatMap((folder) =>
    hidden
      .filter(({ path }) => isWithin(folder.path, path))
      .flatMap(({ path }) => {
        const steps = relative(folder.path, dirname(path)).split(sep).filter(Boolean)
        return steps.map((_, index) => ({ folder, path: join(folder.path, ...steps.slice(0, index + 1)) }))
      }),
  )
  const each = new Map(between.map((one) => [one.path, one]))
  return Promise.all(
    [...each.values()].map(async ({ folder, path }) => {
      await using held = await openFolderHandle({ ...folder.bounds, closed: [] }, path)
      return { path, id: await folderId(held.at) }
    }),
  )
}

/** What the sandbox compares: the device and the inode, as `stat -c %d:%i` shows them. */
export async function folderId(path: string): Promise<string> {
  const { dev, ino } = await stat(path, { bigint: true })
  return `${dev}:${ino}`
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
