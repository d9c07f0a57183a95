import { readdir, readFile, statfs } from 'node:fs/promises'

/**
 * How much memory a process and all below it use together, in bytes, but for files that they share with others. In a
 * sandbox `tmpBytes` is the size of its temporary folders, which count as well.
 */
export async function readMemory(pid: number, enoughBytes: number, tmpBytes?: number): Promise<number> {
  const pids = await processesBelow(pid)
  const tmp = tmpBytes === undefined ? 0 : await temporaryBytes(pids, tmpBytes)
  // What a process shares with its children counts for each: at least so much they use if it is little.
  const most = sum(await Promise.all(pids.map(residentBytes))) + tmp
  return most < enoughBytes ? most : sum(await Promise.all(pids.map(proportionalBytes))) + tmp
}

/** What lies in the temporary folders, as the last process that is in the sandbox by now sees them. */
async function temporaryBytes(pids: readonly number[], tmpBytes: number): Promise<number> {
  for (const pid of pids.toReversed()) {
    const space = await statfs(`/proc/${pid}/root/dev/shm`).catch(() => undefined)
    if (space && Math.abs(space.blocks * space.bsize - tmpBytes) < space.bsize)
      return (space.blocks - space.bfree) * space.bsize
  }
  return 0
}

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

async function residentBytes(pid: number): Promise<number> {
  const status = await readText(`/proc/${pid}/status`)
  return kilobytes(status, 'RssAnon') + kilobytes(status, 'RssShmem')
}

/** Each page divided by the number of processes that have it. What may not be read counts as it stands. */
async function proportionalBytes(pid: number): Promise<number> {
  const rollup = await readText(`/proc/${pid}/smaps_rollup`)
  return rollup === '' ? residentBytes(pid) : kilobytes(rollup, 'Pss_Anon') + kilobytes(rollup, 'Pss_Shmem')
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
