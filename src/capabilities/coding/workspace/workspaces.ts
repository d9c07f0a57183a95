import { realpath, stat } from 'node:fs/promises'
import { isAbsolute } from 'node:path'

import type { Condition } from '../../../agent/index.ts'
import { ServiceError } from '../../../errors.ts'
import { isJsonObject, type Json } from '../../../events/index.ts'
import { inTurn, type InTurn } from '../../in-turn.ts'
import { liesIn } from './lies-in.ts'

/** A folder that is worked in, and further ones: real paths, each below a served root. */
export type Workspace = {
  readonly root: string
  readonly also: readonly string[]
  /** What of them nobody may look into: the server's own folder, with its database, keys and tokens. A real path. */
  readonly closed?: string
}

/** What a client says of it. */
export type Wanted = {
  readonly workspaceRoot?: string | undefined
  readonly directories?: readonly string[] | undefined
}

export interface Workspaces {
  /** As the server was given them. */
  readonly roots: readonly string[]
  /** @throws ServiceError `unavailable` where no root is served, `invalid-request` for what is no folder, `forbidden` for one that is not served */
  open(wanted: Wanted): Promise<Workspace>
  /** The one that a run's settled context names: looked at anew, for it may have gone since. @throws ServiceError, as `open` */
  of(context: Json): Promise<Workspace>
  /** Whoever writes a file does so in its turn, from looking at it to the end. The key is its real path. */
  readonly inTurn: InTurn
  condition(): Promise<Condition>
}

const NO_ROOT =
  'The coding agent is off: no folder is served. Start the server with --root DIR, or set roots in config.yaml.'

/** `home` is the server's own folder: closed, but for roots that its owner has put into it. */
export function workspaces(roots: readonly string[], home?: string): Workspaces {
  const own = async (): Promise<string | undefined> => home && realpath(home).catch(() => undefined)
  const folder = async (path: string, field: string): Promise<string> => {
    const real = await realFolder(path, field)
    const closed = await own()
    const served = (await Promise.all(roots.map((root) => realpath(root).catch(() => undefined)))).flatMap(
      (root) => root ?? [],
    )
    const isOpen = (root: string): boolean => !closed || !liesIn(closed, real) || liesIn(closed, root)
    if (served.some((root) => liesIn(root, real) && isOpen(root))) return real
    throw new ServiceError(
      'forbidden',
      `${field}: this folder is not served. The server's owner can allow it with --root.`,
    )
  }
  const open: Workspaces['open'] = async ({ workspaceRoot, directories = [] }) => {
    const [first, ...others] = roots
    if (first === undefined) throw new ServiceError('unavailable', NO_ROOT)
    if (workspaceRoot === undefined && others.length > 0) {
      throw new ServiceError('invalid-request', 'workspaceRoot is required: several folders are served.')
    }
    const [root, also] = await Promise.all([
      folder(workspaceRoot ?? first, 'workspaceRoot'),
      Promise.all(directories.map((each, index) => folder(each, `directories.${index}`))),
    ])
    const closed = await own()
    const holdsIt = closed !== undefined && [root, ...also].some((each) => liesIn(each, closed))
    return { root, also, ...(holdsIt && { closed }) }
  }
  return {
    roots,
    open,
    inTurn: inTurn(),
    of: (context) => open(isJsonObject(context) ? context : {}),
    async condition() {
      if (roots.length === 0) return { available: false, notes: [NO_ROOT] }
      const found = await Promise.all(
        roots.map(async (root) => ((await isFolder(root)) ? [] : [`${root} is served, but is no folder.`])),
      )
      return { available: found.some((notes) => notes.length === 0), notes: found.flat() }
    },
  }
}

async function realFolder(path: string, field: string): Promise<string> {
  if (!isAbsolute(path)) throw new ServiceError('invalid-request', `${field} must be an absolute path`)
  if (path.includes('\0') || !(await isFolder(path)))
    throw new ServiceError('invalid-request', `${field} is no folder on this machine`)
  return realpath(path)
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}
