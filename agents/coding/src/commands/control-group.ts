import { mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { errorCode } from '../workspace/file-error.ts'

/** What all processes of a command may use together. */
export type GroupLimits = { readonly processes: number; readonly memoryBytes: number }

/** A control group of the kernel for one command. It is removed once its processes have ended. */
export interface ControlGroup extends AsyncDisposable {
  /** The files to which a process writes 0 to join. */
  readonly joinFiles: readonly string[]
}

const CONTROLLERS = ['pids', 'memory'] as const
type Controller = (typeof CONTROLLERS)[number] | 'cpu'

/** The files of both versions. The second of memory: else what does not fit goes to disk. */
const LIMIT_FILES = {
  processes: ['pids.max'],
  memory: ['memory.limit_in_bytes', 'memory.max'],
  memoryWithSwap: ['memory.memsw.limit_in_bytes'],
  swap: ['memory.swap.max'],
} as const
/**
 * A tenth of the usual share of the processors, in the files of both versions. With much less, a command on a machine
 * that is busy with other things would not get anywhere.
 */
const LOW_SHARE = { 'cpu.shares': 102, 'cpu.weight': 10 } as const
const REMOVE_TRIES = 40
const REMOVE_PAUSE_MS = 25
const NAME = /^dragoman-(\d+)-\d+$/
let count = 0

/**
 * The group has a low share of the processors where the kernel has groups for that. Undefined where it has none
 * for the limits, or this process may not make any.
 */
export async function createControlGroup(limits: GroupLimits): Promise<ControlGroup | undefined> {
  const parents = await findParents()
  if (parents === undefined) return undefined
  count += 1
  const name = `dragoman-${process.pid}-${count}`
  const folders = parents.limits.map((parent) => join(parent, name))
  try {
    for (const folder of folders) await mkdir(folder)
    const values = {
      processes: limits.processes,
      memory: limits.memoryBytes,
      memoryWithSwap: limits.memoryBytes,
      swap: 0,
    }
    const names = new Set((await Promise.all(folders.map((folder) => setLimits(folder, values)))).flat())
    if (!names.has('processes') || !names.has('memory')) throw new Error('The kernel has no such limits.')
    for (const folder of await Promise.all(parents.shares.map((parent) => makeFolder(join(parent, name)))))
      if (folder !== undefined) folders.push(folder)
    await Promise.all(folders.map(setLowShare))
  } catch {
    await removeFolders(folders, 1)
    return undefined
  }
  return {
    joinFiles: folders.map((folder) => join(folder, 'cgroup.procs')),
    [Symbol.asyncDispose]: () => removeFolders(folders, REMOVE_TRIES),
  }
}

/** Removes the groups of servers that were killed: those that still have processes stay. */
export async function removeOldGroups(): Promise<void> {
  const parents = await findParents()
  for (const parent of [...(parents?.limits ?? []), ...(parents?.shares ?? [])])
    for (const name of await readdir(parent).catch(() => [])) {
      const pid = Number(NAME.exec(name)?.[1] ?? process.pid)
      if (!isRunning(pid)) await rmdir(join(parent, name)).catch(() => undefined)
    }
}

type LimitName = keyof typeof LIMIT_FILES

/** Sets the limits that a group has, and gives their names. */
async function setLimits(
  folder: string,
  values: Readonly<Record<LimitName, number>>,
): Promise<readonly LimitName[]> {
  const files = new Set<string>(await readdir(folder))
  const names: LimitName[] = []
  for (const name of ['processes', 'memory', 'memoryWithSwap', 'swap'] as const)
    for (const file of LIMIT_FILES[name].filter((each) => files.has(each))) {
      await writeFile(join(folder, file), String(values[name]))
      names.push(name)
    }
  return names
}

/** Where there is none of these files, the kernel shares by the priorities of processes alone. */
async function setLowShare(folder: string): Promise<void> {
  const files = new Set<string>(await readdir(folder))
  for (const [file, value] of Object.entries(LOW_SHARE))
    if (files.has(file)) await writeFile(join(folder, file), String(value)).catch(() => undefined)
}

async function makeFolder(folder: string): Promise<string | undefined> {
  return mkdir(folder).then(
    () => folder,
    () => undefined,
  )
}

async function removeFolders(folders: readonly string[], tries: number): Promise<void> {
  for (const folder of folders)
    for (let attempt = 1; attempt <= tries; attempt += 1) {
      const error = await rmdir(folder).then(
        () => undefined,
        (reason: unknown) => errorCode(reason),
      )
      if (error !== 'EBUSY') break
      await pause(REMOVE_PAUSE_MS)
    }
}

/** The groups below which groups can be made: those with limits, and further ones with shares of the processors. */
type Parents = { readonly limits: readonly string[]; readonly shares: readonly string[] }

async function findParents(): Promise<Parents | undefined> {
  const [own = '', mounts = ''] = await Promise.all(
    ['/proc/self/cgroup', '/proc/self/mountinfo'].map((file) => readFile(file, 'utf8').catch(() => '')),
  )
  const limits = new Set<string>()
  for (const controller of CONTROLLERS) {
    const parent = versionOneFolder(controller, own, mounts) ?? (await versionTwoFolder(own, mounts))
    if (parent === undefined) return undefined
    limits.add(parent)
  }
  const cpu = versionOneFolder('cpu', own, mounts)
  return { limits: [...limits], shares: cpu === undefined || limits.has(cpu) ? [] : [cpu] }
}

function versionOneFolder(controller: Controller, own: string, mounts: string): string | undefined {
  const groups = own.split('\n').map((line) => /^\d+:([^:]*):(\/.*)$/.exec(line) ?? [])
  const path = groups.find(([, controllers = '']) => controllers.split(',').includes(controller))?.[2]
  const mount = mounts.split('\n').find((line) => {
    const [type, , options = ''] = line.split(' - ')[1]?.split(' ') ?? []
    return type === 'cgroup' && options.split(',').includes(controller)
  })
  return path === undefined || mount === undefined ? undefined : folderIn(mount, path)
}

/** The nearest group above this process whose children have both controllers. */
async function versionTwoFolder(own: string, mounts: string): Promise<string | undefined> {
  const path = /^0::(\/.*)$/m.exec(own)?.[1]
  const mount = mounts.split('\n').find((line) => line.split(' - ')[1]?.startsWith('cgroup2 '))
  let folder = path === undefined || mount === undefined ? undefined : folderIn(mount, path)
  for (let top = mount?.split(' ')[4]; folder !== undefined && top !== undefined; folder = dirname(folder)) {
    const names = await readFile(join(folder, 'cgroup.subtree_control'), 'utf8').catch(() => '')
    if (CONTROLLERS.every((controller) => names.split(/\s/).includes(controller))) return folder
    if (folder === top) return undefined
  }
  return undefined
}

/** Where a group stands, if the mount shows it. */
function folderIn(mount: string, path: string): string | undefined {
  const [, , , root = '', at = ''] = mount.split(' ')
  if (root === '/') return join(at, path)
  return path === root || path.startsWith(`${root}/`) ? join(at, path.slice(root.length)) : undefined
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}
