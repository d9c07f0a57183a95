import { setTimeout as pause } from 'node:timers/promises'

import type { ServerNode } from './server-node.ts'
import { TAKEN_OVER_MS, type KillPlan } from './plan.ts'
import type { RecoveryTimes } from './recovery-times.ts'

/** Timeouts for a kill's instant and for a process to exit, in ms. */
const INSTANT_TIMEOUT_MS = 1200
const EXIT_TIMEOUT_MS = 10_000

export type StrikeField = {
  readonly nodes: readonly ServerNode[]
  readonly recovery: RecoveryTimes
  readonly signal: AbortSignal
  readonly complain: (sentence: string) => void
  readonly toll: Toll
}

/**
 * The number of strikes (kills, stops and long freezes), and until when the last long freeze may cause errors, by
 * `performance.now`.
 */
export type Toll = { strikes: number; frozenUntil: number }

/** For this long after a freeze, failed writes of other nodes are expected. */
const AFTERMATH_MS = 12_000

/** Waits for the planned instant, strikes the node, and restarts it. */
export async function strikeNode(plan: KillPlan, field: StrikeField): Promise<void> {
  const node = field.nodes[plan.node]
  if (!node) throw new Error(`There is no node ${plan.node}.`)
  if (!('bootMs' in plan.when)) {
    await field.recovery.reached(
      plan.when,
      AbortSignal.any([field.signal, AbortSignal.timeout(INSTANT_TIMEOUT_MS)]),
    )
  }
  if (field.signal.aborted) return
  if (plan.kind === 'SIGSTOP') await freeze(plan, node, field)
  else await killAndRestart(plan, node, field)
}

async function killAndRestart({ kind, when }: KillPlan, node: ServerNode, field: StrikeField): Promise<void> {
  const { recovery, complain, nodes } = field
  field.toll.strikes += 1
  const exited = node.kill(kind === 'SIGTERM' ? 'SIGTERM' : 'SIGKILL')
  const code = await Promise.race([exited, pause(EXIT_TIMEOUT_MS, 'late' as const, { ref: false })])
  if (code === 'late') {
    complain(`${node.name} still runs ${EXIT_TIMEOUT_MS / 1000} s after ${kind}`)
    await node.kill('SIGKILL')
  } else if (kind === 'SIGTERM' && code !== 0)
    complain(`${node.name} ended with ${code ?? 'a signal'} after SIGTERM`)
  recovery.struck('kill')
  if (nodes.some(({ url }) => url !== undefined)) recovery.up()
  if ('bootMs' in when) await cutWhileStarting(node, when.bootMs)
  await node.start()
  recovery.up()
}

async function cutWhileStarting(node: ServerNode, bootMs: number): Promise<void> {
  const started = node.start().catch(() => undefined)
  await pause(bootMs)
  await node.kill('SIGKILL')
  await started
}

async function freeze({ frozenMs }: KillPlan, node: ServerNode, field: StrikeField): Promise<void> {
  const { recovery, signal } = field
  const isTakenOver = frozenMs >= TAKEN_OVER_MS
  node.freeze()
  if (isTakenOver) {
    field.toll.strikes += 1
    field.toll.frozenUntil = performance.now() + frozenMs + AFTERMATH_MS
    recovery.struck('takeover')
    recovery.up()
  }
  await pause(frozenMs, undefined, { signal }).catch(() => undefined)
  if (!isTakenOver) recovery.struck('freeze')
  node.thaw()
  if (!isTakenOver) recovery.up()
}
