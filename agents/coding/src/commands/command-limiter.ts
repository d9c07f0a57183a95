import { ServiceError } from 'dragoman/errors'
import type { CodingServices } from '../settings.ts'
import { createCommandWatch } from './command-watch.ts'
import { createControlGroup } from './control-group.ts'
import type { DiskReserves } from '../workspace/disk-space.ts'
import { groupLimits, joinGroupsPrefix, totalMemoryBytes, type CommandLimits } from './resource-limits.ts'
import type { Command, RunOptions } from './run-command.ts'

/** A command whose processes are limited together, until it is disposed of. */
export interface LimitedCommand extends AsyncDisposable, Pick<RunOptions, 'untilTooMuch'> {
  readonly command: Command
}

export interface CommandLimiter {
  /**
   * Limits a command that writes to the disks of these folders.
   * @throws ServiceError `unavailable` if a disk is nearly full, or root's processes cannot be limited
   */
  limit(command: Command, folders: readonly string[]): Promise<LimitedCommand>
}

export function createCommandLimiter(
  limits: CommandLimits,
  network: CodingServices['commandNetwork'],
  disks: Pick<DiskReserves, 'hold'>,
): CommandLimiter {
  const watch = createCommandWatch(totalMemoryBytes(limits))
  return {
    async limit(command, folders) {
      await using held = new AsyncDisposableStack()
      const disk = held.use(await disks.hold(folders))
      const group = held.use(await createControlGroup(groupLimits(limits)))
      if (command.isSandbox && !group && process.getuid?.() === 0)
        throw new ServiceError('unavailable', 'No control group could be made that limits the command.')
      const words = [...joinGroupsPrefix(group?.joinFiles ?? []), command.file, ...command.args]
      const [file = '', ...args] = words
      const sandbox = command.isSandbox ? { tmpBytes: limits.commandTmpBytes, network } : undefined
      const resources = held.move()
      return {
        command: { ...command, file, args },
        untilTooMuch: (pid, signal) => watch.untilTooMuch({ pid, disk, sandbox }, signal),
        [Symbol.asyncDispose]: () => resources.disposeAsync(),
      }
    },
  }
}
