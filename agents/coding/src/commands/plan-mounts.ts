import { realpath, stat } from 'node:fs/promises'
import { basename, delimiter, dirname, isAbsolute, join, relative, sep } from 'node:path'

import type { DeniedPath } from '../workspace/denied-paths.ts'
import { openFolderHandle, type Bounds } from '../workspace/folder-handle.ts'
import { isWithin } from '../workspace/is-within.ts'

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

/** One mount: an empty folder or file, or what is at `from`. */
export type Mount = {
  readonly kind: 'folder' | 'file' | 'read' | 'write'
  readonly from: string
  readonly at: string
}

/** What of a home belongs to no single project: programs, and who the user is to git. */
const HOME_TOOLS =
  `.local/bin .local/lib .local/share/fnm .local/share/mise .local/share/uv .local/share/pnpm .nvm .fnm .volta
  .asdf .pyenv .rbenv .sdkman .rustup .cargo/bin .bun/bin .deno/bin go/bin .gitconfig .config/git/config`.split(
    /\s+/,
  )

/** Sockets of other programs are here, the one of Docker among them; and how names are looked up, which is left. */
const READABLE_RUN_PATHS = [
  '/run/systemd/resolve',
  '/run/resolvconf',
  '/run/NetworkManager/resolv.conf',
  '/run/current-system',
]

type Place = { readonly path: string; readonly as: 'empty' | 'read' | 'write' }

/**
 * The mounts above a root that can only be read, in their order, and the folders that the sandbox checks before it
 * runs anything.
 */
export type MountPlan = { readonly mounts: readonly Mount[]; readonly verified: readonly IdentifiedFolder[] }

/**
 * Plans what stands where in the sandbox: what is deeper counts more. The folders that are worked in can be written
 * to, unless only
 * reading is wanted; the home is empty but for tools; closed places are empty.
 */
export async function planMounts({ homes, path }: UserPaths, request: MountRequest): Promise<MountPlan> {
  const { folders, closed, access, programs = [] } = request
  const real = await Promise.all(homes.map((home) => realpath(home).catch(() => '/')))
  // A user without a home has the root for one.
  const own = real.filter((home) => home !== '/')
  const tools = await Promise.all(own.map((home) => toolFolders(home, path)))
  const hidden = closed.filter(
    (place) =>
      folders.every((folder) => folder.path !== place.path) &&
      (folders.some((folder) => isWithin(folder.path, place.path)) ||
        !own.some((home) => isWithin(home, place.path))),
  )
  const pins = await foldersToPin(folders, hidden)
  const verified = [...folders.map(({ path: at, id }) => ({ path: at, id })), ...pins]
  const places = [
    all('empty', ['/tmp', '/var/tmp', '/run', ...own]),
    all('read', [...READABLE_RUN_PATHS, ...tools.flat(), ...programs]),
    all(
      access,
      verified.map((folder) => folder.path),
    ),
    all('empty', paths(hidden)),
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

function all(as: Place['as'], each: readonly string[]): Place[] {
  return each.map((path) => ({ path, as }))
}

function paths(places: readonly DeniedPath[]): readonly string[] {
  return places.map(({ path }) => path)
}

function depthOf(path: string): number {
  return path.split(sep).length
}

/** The folders of tools in the home: known ones, those on the PATH, and the libraries next to them. */
async function toolFolders(home: string, path: string): Promise<readonly string[]> {
  const folders = path.split(delimiter).filter((each) => isAbsolute(each))
  const searchPath = await Promise.all(
    folders.map(async (each) => (isWithin(home, each) ? each : realpath(each).catch(() => each))),
  )
  const libraries = searchPath.map((each) =>
    basename(each) === '.bin' ? dirname(each) : join(dirname(each), 'lib'),
  )
  return [
    ...HOME_TOOLS.map((name) => join(home, name)),
    ...[...searchPath, ...libraries].filter((each) => each !== home && isWithin(home, each)),
  ]
}

/** Nothing for what is not there. */
async function toMount({ path, as }: Place): Promise<readonly Mount[]> {
  try {
    const from = await realpath(path)
    // A link to a tool is no link any more; what is hidden is hidden where it is.
    if (as !== 'empty') return [{ kind: as, from, at: path }]
    const kind = (await stat(from)).isDirectory() ? 'folder' : 'file'
    return [{ kind, from, at: from }]
  } catch {
    return []
  }
}
