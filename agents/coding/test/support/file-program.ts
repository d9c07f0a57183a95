// Writes files of 2 MB as the coding agent does, in a process of its own: node file-program.ts ROOT
import { createDiskReserves } from '../../src/workspace/disk-space.ts'
import { putFile } from '../../src/workspace/put-file.ts'
import { resolveWorkspacePath } from '../../src/workspace/resolve-workspace-path.ts'
import { createWorkspaces } from '../../src/workspace/workspaces.ts'

const [root = ''] = process.argv.slice(2)
const { open, disks } = createWorkspaces([root], undefined, createDiskReserves(1024 ** 3))
const bytes = new Uint8Array(2 * 1024 ** 2)
const write = async (name: number): Promise<string> =>
  putFile(await resolveWorkspacePath(await open({}), `${name}.txt`), bytes, { disks })
const results = await Promise.allSettled(Array.from({ length: 64 }, (_, name) => write(name)))
const refused = results.find(({ status }) => status === 'rejected')
process.stdout.write(refused?.status === 'rejected' ? String(refused.reason) : 'All were written.')
