import { realpath, stat } from 'node:fs/promises'
import { basename, delimiter, dirname, isAbsolute, join, relative, sep } from 'node:path'

import type { ClosedPlace } from '../workspace/closed-places.ts'
import { holdFolder, type Bounds } from '../workspace/held-folder.ts'
import { liesIn } from '../workspace/lies-in.ts'

/** Where the user's own things are, and where programs are looked for. */
export type Grounds = { readonly homes: readonly string[]; readonly path: string }

/** A folder as it stands, and the device and inode by which a sandbox recognizes it. */
export type KnownFolder = { readonly path: string; readonly id: string }

/** What a sandbox is made for. */
export type Wanted = {
  /** Folders that are worked in, each with how it is gone down to. */
  readonly folders: readonly (KnownFolder & { readonly bounds: Bounds })[]
  /** Places that stay hidden, also where they lie in these folders, but for one that is itself worked in. */
  readonly closed: readonly ClosedPlace[]
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
const TOOLS =
  `.local/bin .local/lib .local/share/fnm .local/share/mise .local/share/uv .local/share/pnpm .nvm .fnm .volta .asdf .pyenv
  .rbenv .sdkman .rustup .cargo/bin .bun/bin .deno/bin go/bin .gitconfig .config/git/config`.split(/\s+/)

/** Sockets of other programs are here, the one of Docker among them; and how names are looked up, which is left. */
const RUN_KEPT = [
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
export type Plan = { readonly mounts: readonly Mount[]; readonly checked: readonly KnownFolder[] }

/**
 * Plans what stands where in the sandbox: what is deeper counts more. The folders that are worked in can be written
 * to, unless only
 * reading is wanted; the home is empty but for tools; closed places are empty.
 */
export async function planOf({ homes, path }: Grounds, wanted: Wanted): Promise<Plan> {
  const { folders, closed, access, programs = [] } = wanted
  const real = await Promise.all(homes.map((home) => realpath(home).catch(() => '/')))
  // A user without a home has the root for one.
  const own = real.filter((home) => home !== '/')
  const tools = await Promise.all(own.map((home) => toolsIn(home, path)))
  const hidden = closed.filter(
    (place) =>
      folders.every((folder) => folder.path !== place.path) &&
      (folders.some((folder) => liesIn(folder.path, place.path)) ||
        !own.some((home) => liesIn(home, place.path))),
  )
  const pinned = await pinnedIn(folders, hidden)
  const checked = [...folders.map(({ path: at, id }) => ({ path: at, id })), ...pinned]
  const places = [
    all('empty', ['/tmp', '/var/tmp', '/run', ...own]),
    all('read', [...RUN_KEPT, ...tools.flat(), ...programs]),
    all(
      access,
      checked.map((folder) => folder.path),
    ),
    all('empty', paths(hidden)),
  ].flat()
  const mounts = new Map((await Promise.all(places.map(mountOf))).flat().map((each) => [each.at, each]))
  return { mounts: [...mounts.values()].toSorted((a, b) => depthOf(a.at) - depthOf(b.at)), checked }
}

/**
 * Each folder between one that is worked in and a closed place below it. Mounted onto itself, it cannot be renamed:
 * with another name for
 * its parent, a closed place would not be hidden any more.
 */
async function pinnedIn(
  folders: Wanted['folders'],
  hidden: readonly ClosedPlace[],
): Promise<readonly KnownFolder[]> {
  const between = folders.flatMap((folder) =>
    hidden
      .filter(({ path }) => liesIn(folder.path, path))
      .flatMap(({ path }) => {
        const steps = relative(folder.path, dirname(path)).split(sep).filter(Boolean)
        return steps.map((_, index) => ({ folder, path: join(folder.path, ...steps.slice(0, index + 1)) }))
      }),
  )
  const each = new Map(between.map((one) => [one.path, one]))
  return Promise.all(
    [...each.values()].map(async ({ folder, path }) => {
      await using held = await holdFolder({ ...folder.bounds, closed: [] }, path)
      return { path, id: await knownBy(held.at) }
    }),
  )
}

/** What the sandbox compares: the device and the inode, as `stat -c %d:%i` shows them. */
export async function knownBy(path: string): Promise<string> {
  const { dev, ino } = await stat(path, { bigint: true })
  return `${dev}:${ino}`
}

function all(as: Place['as'], each: readonly string[]): Place[] {
  return each.map((path) => ({ path, as }))
}

function paths(places: readonly ClosedPlace[]): readonly string[] {
  return places.map(({ path }) => path)
}

function depthOf(path: string): number {
  return path.split(sep).length
}

/** Also what the search for programs leads to, where that is in the home; and what such programs are made of, which stands beside them. */
async function toolsIn(home: string, path: string): Promise<readonly string[]> {
  const folders = path.split(delimiter).filter((each) => isAbsolute(each))
  const searched = await Promise.all(
    folders.map(async (each) => (liesIn(home, each) ? each : realpath(each).catch(() => each))),
  )
  const beside = searched.map((each) =>
    basename(each) === '.bin' ? dirname(each) : join(dirname(each), 'lib'),
  )
  return [
    ...TOOLS.map((name) => join(home, name)),
    ...[...searched, ...beside].filter((each) => each !== home && liesIn(home, each)),
  ]
}

/** Nothing for what is not there. */
async function mountOf({ path, as }: Place): Promise<readonly Mount[]> {
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
