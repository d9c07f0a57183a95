import type { InputGuardrail } from 'dragoman/agents'
import { dangerIn, helpFor } from '@dragoman/agent-kit/crisis'
import { zoneIn } from '@dragoman/agent-kit/words/zone-in'

/** Help for somebody in danger, from the server itself. */
export const guardrail: InputGuardrail = async ({ context, said }) => {
  const words = said.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
  const danger = dangerIn(words)
  return danger && { text: helpFor(danger, { words, zone: zoneIn(context) }) }
}
