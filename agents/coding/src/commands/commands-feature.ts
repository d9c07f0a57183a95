import type { CodingServices } from '../settings.ts'
import type { Feature } from '../feature.ts'
import type { Workspaces } from '../workspace/workspaces.ts'
import { executeCommand } from './execute-command.ts'
import type { Sandboxes } from './sandbox.ts'

/** Runs commands, in a sandbox where the machine has one, and says whether it has. */
export function commandsFeature(
  workspaces: Workspaces,
  machine: CodingServices,
  sandboxes: Sandboxes,
): Feature {
  return {
    tools: [executeCommand({ workspaces, machine, sandboxes, timeoutMs: machine.commandTimeout * 1000 })],
    async condition() {
      return { available: true, notes: [(await sandboxes.found()).note] }
    },
  }
}
