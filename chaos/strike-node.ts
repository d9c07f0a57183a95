import { setTimeout as pause } from 'node:timers/promises'

import type { ServerNode } from './server-node.ts'
import type { StrikeField } from './strike.ts'
import { mayEndAttempts, type StrikeKind, type StrikePlan } from './strike-plan.ts'

/** A process has so many ms to exit after the time that it gives its runs. */
const EXIT_TIMEOUT_MS = 5000
const CLOCK_SHIFT_MS = 60_000
/** A node that does not start is started again: its database may be recovering. */
const START_ATTEMPTS = 20
const START_PAUSE_MS = 500

/** Stops, kills or freezes a node, and restarts it. */
export async function strikeNode(plan: StrikePlan, field: StrikeField): Promise<void> {
  const node = field.nodes[plan.node]
  if (!node) throw new Error(`There is no node ${plan.node}.`)
  if (plan.kind === 'SIGSTOP') await freeze(plan, node, field)
  else if (plan.kind === 'rolling restart') await restartAll(plan, field)
  else await killAndRestart(plan, node, field)
}

async function killAndRestart(
  { kind, when, variant }: StrikePlan,
  node: ServerNode,
  field: StrikeField,
): Promise<void> {
  const { recovery, complain, nodes, toll, drainSeconds } = field
  const timeoutMs = drainSeconds * 1000 + EXIT_TIMEOUT_MS
  const mayBreakOff = performance.now() < toll.mutedUntil
  const isInOrder = kind !== 'SIGKILL' && kind !== 'clock'
  const exited = node.kill(isInOrder ? 'SIGTERM' : 'SIGKILL')
  const code = await Promise.race([exited, pause(timeoutMs, 'late' as const, { ref: false })])
  if (code === 'late') {
    complain(`${node.name} still runs ${timeoutMs / 1000} s after ${kind}`)
    await node.kill('SIGKILL')
  } else if (isInOrder && code !== 0 && !mayBreakOff)
    complain(`${node.name} ended with ${code ?? 'a signal'} after SIGTERM`)
  recovery.struck('kill')
  if (nodes.some(({ url }) => url !== undefined)) recovery.up()
  if ('bootMs' in when) await cutWhileStarting(node, when.bootMs)
  await startAgain(node, nextProcess(kind, variant), field)
  recovery.up()
}

/** As a deploy does: one node after the other, while the others serve. */
async function restartAll(plan: StrikePlan, field: StrikeField): Promise<void> {
  const when = { entries: 0 }
  for (const node of field.nodes) await killAndRestart({ ...plan, when }, node, field)
}

/** The environment of a node's next process. */
function nextProcess(kind: StrikeKind, variant: boolean): Readonly<Record<string, string>> {
  const shiftMs = kind === 'clock' ? (variant ? 1 : -1) * CLOCK_SHIFT_MS : 0
  const isNewer = kind === 'other version' && variant
  return { CHAOS_CLOCK_SHIFT_MS: String(shiftMs), ...(isNewer && { CHAOS_VERSION: 'newer' }) }
}

async function cutWhileStarting(node: ServerNode, bootMs: number): Promise<void> {
  const started = node.start().catch(() => undefined)
  await pause(bootMs)
  await node.kill('SIGKILL')
  await started
}

async function startAgain(
  node: ServerNode,
  env: Readonly<Record<string, string>>,
  { database, signal }: StrikeField,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await node.start(env)
    } catch (error) {
      if (!database || attempt === START_ATTEMPTS || signal.aborted) throw error
      await pause(START_PAUSE_MS)
    }
  }
}

async function freeze(plan: StrikePlan, node: ServerNode, field: StrikeField): Promise<void> {
  const { recovery, signal } = field
  const isTakenOver = mayEndAttempts(plan)
  node.freeze()
  if (isTakenOver) {
    recovery.struck('takeover')
    recovery.up()
  }
  await pause(plan.ms, undefined, { signal }).catch(() => undefined)
  if (!isTakenOver) recovery.struck('freeze')
  node.thaw()
  if (!isTakenOver) recovery.up()
}
