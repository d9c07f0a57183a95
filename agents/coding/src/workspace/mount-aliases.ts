import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** A mount of this machine: what of a file system stands where. */
export type MountedPath = {
  /** The file system, as `8:1`. */
  readonly device: string
  /** The path in the file system that stands at `at`. */
  readonly root: string
  readonly at: string
  /** Of an overlay, the folders that it shows. */
  readonly layers: readonly string[]
}

/** From one name to the next: a mount of a folder of an overlay of a mount is three. */
const MAX_STEPS = 5

/** The mounts that this process sees, in the order in which they were made; empty where there is no `/proc`. */
export async function readMountTable(): Promise<string> {
  return readFile('/proc/self/mountinfo', 'utf8').catch(() => '')
}

export function parseMountTable(table: string): readonly MountedPath[] {
  return table.split('\n').flatMap((line) => parseMount(line) ?? [])
}

/** Parses a line of `/proc/self/mountinfo`. */
export function parseMount(line: string): MountedPath | undefined {
  const fields = line.split(' ')
  const [, , device, root, at] = fields
  const [type, , options = ''] = fields.slice(fields.indexOf('-') + 1)
  if (device === undefined || root === undefined || at === undefined) return undefined
  const layers = type === 'overlay' ? layersOf(options) : []
  return { device, root: unescapePath(root), at: unescapePath(at), layers }
}

/**
 * Other names of a real path, under which the same files are seen: at second mounts of its file system, in an overlay,
 * and in the folders that an overlay shows. Also each mount that shows only a part of it.
 */
export async function aliasesOf(
  path: string,
  mounts: readonly MountedPath[],
  exists: (path: string) => Promise<boolean> = isThere,
): Promise<readonly string[]> {
  const names = new Set([path])
  let last = [path]
  // An overlay of the root has names without end, and each is a mount further away.
  for (let step = 0; step < MAX_STEPS && last.length > 0; step += 1) {
    const next = new Set(
      last.flatMap((name) => directAliases(name, mounts)).filter((name) => !names.has(name)),
    )
    const found = await Promise.all([...next].map(async (name) => ((await exists(name)) ? [name] : [])))
    last = found.flat()
    for (const name of last) names.add(name)
  }
  return [...names].filter((name) => !isBelow(path, name))
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

function directAliases(path: string, mounts: readonly MountedPath[]): readonly string[] {
  const own = mountOf(path, mounts)
  if (own === undefined) return []
  const inside = join(own.root, path.slice(own.at === '/' ? 0 : own.at.length))
  const seconds = mounts
    .filter((other) => other !== own && other.device === own.device)
    .flatMap((other) => namesAt(inside, other.root, other.at))
  const below = own.layers.map((layer) => join(layer, inside))
  const above = mounts.flatMap(({ root, at, layers }) =>
    layers.flatMap((layer) => namesAt(path, root === '/' ? layer : join(layer, root), at)),
  )
  return [...seconds, ...below, ...above]
}

/** The deepest mount above a path. What is mounted later covers what stood there before. */
function mountOf(path: string, mounts: readonly MountedPath[]): MountedPath | undefined {
  let deepest: MountedPath | undefined
  for (const mount of mounts)
    if (isBelow(mount.at, path) && mount.at.length >= (deepest?.at.length ?? 0)) deepest = mount
  return deepest
}

/** What shows `path`, or a part of it, where `root` stands at `at`. */
function namesAt(path: string, root: string, at: string): readonly string[] {
  if (isBelow(root, path)) return [join(at, path.slice(root === '/' ? 0 : root.length))]
  return isBelow(path, root) ? [at] : []
}

/** Of clean absolute paths. There may be thousands of mounts, so this is quicker than `isWithin`. */
function isBelow(folder: string, path: string): boolean {
  return folder === '/' || path === folder || path.startsWith(`${folder}/`)
}

function layersOf(options: string): readonly string[] {
  const layers = options.split(/(?<!\\),/).flatMap((option) => {
    const [, paths] = /^(?:lowerdir\+?|upperdir)=(.*)$/s.exec(option) ?? []
    return paths === undefined ? [] : paths.split(/(?<!\\):/)
  })
  return layers
    .map((layer) => unescapePath(layer).replace(/\\([,:\\])/g, '$1'))
    .filter((layer) => layer[0] === '/')
}

/** The kernel writes blanks and backslashes as three digits. */
function unescapePath(path: string): string {
  return path.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)))
}
