// Runs one command as the coding agent does, in a process of its own: node command-program.ts HOME ROOT SANDBOX COMMAND
import { join } from 'node:path'

import { noModel } from '../../../../packages/dragoman/src/agents/no-model.fixture.ts'
import { noState } from '../../../../packages/dragoman/src/agents/no-state.fixture.ts'
import { codingServices } from '../../src/coding-services.fixture.ts'
import { createSandboxes } from '../../src/commands/create-sandboxes.ts'
import { executeCommandTool } from '../../src/commands/execute-command-tool.ts'
import { createProgramTurns } from '../../src/commands/program-turns.ts'
import { createDeniedPaths, userHomes } from '../../src/workspace/denied-paths.ts'
import { createDiskReserves } from '../../src/workspace/disk-space.ts'
import { createWorkspaces } from '../../src/workspace/workspaces.ts'

const [home = '', root = '', sandbox = '', command = ''] = process.argv.slice(2)
const env = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: home }
const services = codingServices({ env, home: join(home, 'server'), roots: [root] })
const places = createDeniedPaths(services.home, userHomes(env))
const disks = createDiskReserves(services.commandLimits.commandDiskReserveBytes)
const workspaces = createWorkspaces([root], places, disks)
const sandboxes = createSandboxes({ ...services, places }, [
  sandbox === 'unshare' ? ['unshare', 'unshare'] : ['bubblewrap', 'bwrap'],
])
await sandboxes.detect()
const tool = executeCommandTool({
  workspaces,
  services,
  sandboxes,
  programs: createProgramTurns(),
  timeoutMs: 30_000,
})
const call = tool.execute(
  { command },
  {
    callId: 'run_1.1',
    runId: 'run_1',
    idempotencyKey: 'run_1.1',
    userId: 'ada',
    threadId: 'conv_test',
    context: { workspaceRoot: root },
    signal: new AbortController().signal,
    state: noState,
    model: noModel,
    ask: () => Promise.reject(new Error('This call cannot ask.')),
    progress: () => undefined,
    data: () => undefined,
  },
)
process.stdout.write(
  await call.then(
    ({ output }) => JSON.stringify(output),
    (error: unknown) => String(error),
  ),
)
