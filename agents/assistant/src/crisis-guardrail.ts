import type { InputGuardrail } from 'dragoman/agents'
import { detectDanger, crisisHelp } from '@dragoman/agent-kit/crisis'
import { clientTimeZone } from '@dragoman/agent-kit/text/client-time-zone'

/** Answers a user in danger itself, without a model. */
export const crisisGuardrail: InputGuardrail = async ({ context, message }) => {
  const words = message.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
  const danger = await detectDanger(words)
  return danger && { text: crisisHelp(danger, { words, zone: clientTimeZone(context) }) }
}
