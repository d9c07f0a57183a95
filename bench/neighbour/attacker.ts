import { setPriority } from 'node:os'

import { createAttack, type Target } from './attack.ts'
import { kinds } from './kinds/kinds.ts'

/** One user and one stranger, in a process of their own: they play kinds until they get the next message. */

export type Play = { readonly names: readonly string[]; readonly target: Target }
export type AttackerReport = {
  /** What came back, and how often. */
  readonly counts: Readonly<Record<string, number>>
}

/** The lowest priority: on a machine with few processors, the server and its users come first. */
setPriority(19)

let stopping = new AbortController()
let attacks: ReturnType<typeof createAttack>[] = []

process.on('disconnect', () => process.exit())
process.on('message', (play: Play | 'stop') => {
  if (play === 'stop') stop()
  else start(play)
})
process.send?.('ready')

function start({ names, target }: Play): void {
  stopping = new AbortController()
  attacks = kinds
    .filter(({ name }) => names.includes(name))
    .map(({ play }) => {
      const attack = createAttack(target, stopping.signal)
      play(attack).catch(() => attack.count('failed'))
      return attack
    })
}

function stop(): void {
  const counts: Record<string, number> = {}
  for (const attack of attacks)
    for (const [what, count] of Object.entries(attack.counts())) counts[what] = (counts[what] ?? 0) + count
  stopping.abort()
  process.send?.({ counts } satisfies AttackerReport)
}
