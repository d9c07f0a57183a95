import { readdir, readFile, stat, statfs } from 'node:fs/promises'

import { lazy } from 'dragoman/async'

/** What a process and all below it use together. */
export type CommandMemory = {
  /** Of processes and temporary folders, but for files that they share with others. */
  readonly bytes: number
  /** So much the kernel may keep for its sockets and pipes besides. How much it does, nothing tells. */
  readonly kernelBytes: number
  readonly processes: number
}

/** A sandbox of a command: the size of its temporary folders, which count as well, and whether it has a network. */
export type MeasuredSandbox = { readonly tmpBytes: number; readonly network: 'none' | 'open' }

/** A file without content: its inode, its name and what they are found by. */
const INODE_BYTES = 1024
/** A pipe beyond those for which a user gets more: two pages and an inode, for two descriptors. */
const DESCRIPTOR_BYTES = 5 * 1024
/** What TCP keeps for a connection by default: `tcp_rmem` and `tcp_wmem`. */
const TCP_BYTES = 10 * 1024 ** 2
const DEFAULT_SOCKET_BYTES = 212_992

/** Beyond `enoughBytes` the memory is measured more exactly, which takes longer. */
export async function readMemory(
  pid: number,
  enoughBytes: number,
  sandbox?: MeasuredSandbox,
): Promise<CommandMemory> {
  const pids = await processesBelow(pid)
  const tmp = sandbox === undefined ? 0 : await temporaryBytes(pids, sandbox.tmpBytes)
  const all = await Promise.all(pids.map(readProcess))
  // What a process shares with its children counts for each: at least so much they use if it is little.
  const most = sum(all.map(({ bytes }) => bytes)) + tmp
  const bytes = most < enoughBytes ? most : sum(await Promise.all(all.map(proportionalBytes))) + tmp
  // Without a network of its own, each descriptor may be a socket.
  const descriptors = sum(all.map((each) => each.descriptors))
  const socketBytes =
    sandbox?.network === 'none' ? await bytesOfNetwork(pids) : descriptors * (await maxSocketBytes())
  return { bytes, kernelBytes: socketBytes + descriptors * DESCRIPTOR_BYTES, processes: pids.length }
}

/** What lies in the temporary folders, as the last process that is in the sandbox by now sees them. */
async function temporaryBytes(pids: readonly number[], tmpBytes: number): Promise<number> {
  for (const pid of pids.toReversed()) {
    const space = await statfs(`/proc/${pid}/root/dev/shm`).catch(() => undefined)
    if (space && Math.abs(space.blocks * space.bsize - tmpBytes) < space.bsize)
      return (space.blocks - space.bfree) * space.bsize + (space.files - space.ffree) * INODE_BYTES
  }
  return 0
}

/** What the sockets of a network of its own may hold, as the last process in it sees them. */
async function bytesOfNetwork(pids: readonly number[]): Promise<number> {
  for (const pid of pids.toReversed()) {
    const counts = await readText(`/proc/${pid}/net/sockstat`)
    if (counts === '') continue
    const read = (field: RegExp): number => Number(field.exec(counts)?.[1] ?? 0)
    return read(/^sockets: used (\d+)/m) * (await maxSocketBytes()) + read(/^TCP: inuse (\d+)/m) * TCP_BYTES
  }
  return 0
}

/** The kernel doubles what a program may ask for. */
const maxSocketBytes = lazy(
  async () => 2 * Number((await readText('/proc/sys/net/core/wmem_max')) || DEFAULT_SOCKET_BYTES),
)

/** A process and all that it, and what it started, have started. */
async function processesBelow(pid: number): Promise<readonly number[]> {
  const all = [pid]
  for (const each of all) {
    const threads = await readdir(`/proc/${each}/task`).catch(() => [])
    const children = threads.map((thread) => readText(`/proc/${each}/task/${thread}/children`))
    all.push(...(await Promise.all(children)).flatMap((text) => text.split(' ').filter(Boolean).map(Number)))
  }
  return all
}

type MeasuredProcess = {
  readonly pid: number
  readonly bytes: number
  /** Its page tables. */
  readonly tables: number
  readonly descriptors: number
}

async function readProcess(pid: number): Promise<MeasuredProcess> {
  const [status, folder] = await Promise.all([
    readText(`/proc/${pid}/status`),
    stat(`/proc/${pid}/fd`).catch(() => undefined),
  ])
  const tables = kilobytes(status, 'VmPTE')
  const bytes = kilobytes(status, 'RssAnon') + kilobytes(status, 'RssShmem') + tables
  // Before Linux 6.2 the folder does not tell how many are open, but how many there is room for is known.
  const room = Number(/^FDSize:\s+(\d+)$/m.exec(status)?.[1] ?? 0)
  return { pid, bytes, tables, descriptors: folder?.size || room }
}

/** Each page divided by the number of processes that have it. What may not be read counts as it stands. */
async function proportionalBytes({ pid, bytes, tables }: MeasuredProcess): Promise<number> {
  const rollup = await readText(`/proc/${pid}/smaps_rollup`)
  return rollup === '' ? bytes : kilobytes(rollup, 'Pss_Anon') + kilobytes(rollup, 'Pss_Shmem') + tables
}

function kilobytes(text: string, field: string): number {
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1] ?? 0) * 1024
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}

/** Nothing of a process that has ended. */
async function readText(file: string): Promise<string> {
  return readFile(file, 'latin1').catch(() => '')
}
