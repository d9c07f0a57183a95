import { homedir } from 'node:os'
import { resolve } from 'node:path'

import { z } from 'zod'

import type { AgentServices } from 'dragoman/agents'

const MIB = 1024 * 1024

/** How much one command may use. */
const limits = z.object({
  /** Bytes of memory of each process. */
  commandMemoryBytes: limit(2048 * MIB, 1024 * 1024 * MIB),
  /** Bytes of memory of one command, with all of its processes and temporary files. */
  commandTotalMemoryBytes: limit(4096 * MIB, 1024 * 1024 * MIB),
  /** Processes and threads of one command in a sandbox. */
  commandProcesses: limit(4096, 1_000_000),
  /** Bytes of each file that a command writes. */
  commandFileBytes: limit(1024 * MIB, 1024 * 1024 * MIB),
  /** Bytes of all folders together that a sandbox keeps in memory for a command, as `/tmp`. */
  commandTmpBytes: limit(512 * MIB, 1024 * 1024 * MIB),
  /** Bytes of a disk that no command and no written file takes. */
  commandDiskReserveBytes: limit(1024 * MIB, 1024 * 1024 * MIB),
})

/** The coding agent's fields of `config.yaml`. */
export const settings = z.object({
  roots: z.array(z.string().min(1).transform(toFolder)).default([]).meta({
    flag: 'root',
    value: 'DIR',
    help: 'a folder in which the coding agent may work; may be given again. Without one it is off',
  }),
  commandTimeout: wholeNumber(86_400).default(30).meta({
    flag: 'command-timeout',
    value: 'N',
    help: 'seconds that a command of the coding agent may take (30)',
  }),
  commandNetwork: z.enum(['none', 'open'], 'must be none or open').default('none').meta({
    flag: 'command-network',
    value: 'MODE',
    help: 'none or open: whether its commands reach the network (none); open needs --require-token',
  }),
  commands: z.enum(['ask', 'allow'], 'must be ask or allow').default('ask').meta({
    flag: 'commands',
    value: 'MODE',
    help: 'ask or allow: whether each command is asked about where no sandbox keeps it in (ask)',
  }),
  limits,
})
export type CodingSettings = z.output<typeof settings>

/** What the parts of the agent use of the server. */
export type CodingServices = Pick<
  AgentServices,
  | 'database'
  | 'home'
  | 'env'
  | 'report'
  | 'safeFetch'
  | 'readThreadContext'
  | 'updateThreadContext'
  | 'searchMessages'
  | 'model'
> &
  Omit<CodingSettings, 'limits'> & { readonly commandLimits: CodingSettings['limits'] }

function limit(fallback: number, max: number): z.ZodDefault<z.ZodInt> {
  return wholeNumber(max).default(fallback)
}

function wholeNumber(max: number): z.ZodInt {
  const words = `must be a whole number from 1 to ${max}`
  return z.int(words).min(1, words).max(max, words)
}

/** An absolute path; `~` is the user's own folder, as a shell has it. */
function toFolder(text: string): string {
  return resolve(text.replace(/^~(?=\/|$)/, homedir()))
}
