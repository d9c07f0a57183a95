import type { CodingServices } from '../settings.ts'
import type { Feature } from '../feature.ts'
import type { Workspaces } from '../workspace/workspaces.ts'
import { executeCommand } from './execute-command.ts'
import type { Sandboxes } from './create-sandboxes.ts'

/** Runs commands, in a sandbox where the machine has one, and says whether it has. */
export function commandsFeature(
  workspaces: Workspaces,
  services: CodingServices,
  sandboxes: Sandboxes,
): Feature {
  return {
    tools: [
      executeCommand({
        workspaces,
        services,
        sandboxes,
        timeoutMs: services.commandTimeout * 1000,
      }),
    ],
    async condition() {
      return { available: true, notes: [(await sandboxes.detect()).note] }
    },
  }
}
