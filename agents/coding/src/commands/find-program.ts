import { access, constants, realpath } from 'node:fs/promises'
import { delimiter, isAbsolute, join } from 'node:path'

import { isWithin } from '../workspace/is-within.ts'

/** Where a program is found: never in a folder that is served, for commands write there. */
export async function findProgram(
  path: string,
  name: string,
  roots: readonly string[],
): Promise<string | undefined> {
  for (const folder of path.split(delimiter).filter(isAbsolute)) {
    const file = join(folder, name)
    if (!(await access(file, constants.X_OK).then(yes, no))) continue
    const real = await realpath(file)
    if (![file, real].some((each) => roots.some((root) => isWithin(root, each)))) return real
  }
  return undefined
}

const yes = (): boolean => true
const no = (): boolean => false
