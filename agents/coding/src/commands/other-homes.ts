import { readFile, realpath, stat } from 'node:fs/promises'

import { isWithin } from '../workspace/is-within.ts'
import { aliasesOf, parseMountTable, readMountTable } from '../workspace/mount-aliases.ts'

/** Where homes usually lie. */
const USUAL_PLACES = ['/home', '/root', '/var/home', '/export/home']
const FIRST_USER_ID = 1000
/** A home that one of these lies in is no home of a person. */
const SYSTEM_FOLDERS = [
  '/usr/bin',
  '/usr/lib',
  '/usr/local/bin',
  '/bin',
  '/etc',
  '/dev',
  '/proc',
  '/opt',
  '/nix/store',
]

/**
 * The folders of this machine that are homes, `own` among them, as real paths. A second mount of a home is listed too.
 */
export async function homeFolders(own: readonly string[]): Promise<readonly string[]> {
  const named = [...own, ...USUAL_PLACES, ...(await accountHomes())]
  const reals = await Promise.all([...new Set(named)].map((home) => realpath(home).catch(() => '/')))
  const homes = [...new Set(reals)].filter(
    (home, _, all) =>
      !SYSTEM_FOLDERS.some((each) => isWithin(home, each)) &&
      // What lies in a hidden folder is hidden, and its name too.
      (own.includes(home) || !all.some((each) => each !== home && each !== '/' && isWithin(each, home))),
  )
  const mounts = parseMountTable(await readMountTable())
  const aliases = homes.map(async (home) => {
    const names = await aliasesOf(home, mounts)
    return (await Promise.all(names.map((alias) => sameFolder(home, alias)))).flat()
  })
  return [...new Set([...homes, ...(await Promise.all(aliases)).flat()])]
}

async function accountHomes(): Promise<readonly string[]> {
  const accounts = await readFile('/etc/passwd', 'utf8').catch(() => '')
  return accounts.split('\n').flatMap((line) => {
    const [, , id, , , home] = line.split(':')
    return home?.startsWith('/') && (Number(id) >= FIRST_USER_ID || id === '0') ? [home] : []
  })
}

/** A mount that shows a part of a home was put there to be seen: a program, or data. */
async function sameFolder(home: string, alias: string): Promise<readonly string[]> {
  const [one, other] = await Promise.all([home, alias].map((each) => stat(each).catch(() => undefined)))
  return one && other && one.dev === other.dev && one.ino === other.ino ? [alias] : []
}
