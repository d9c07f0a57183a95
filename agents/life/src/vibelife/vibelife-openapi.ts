import type { Operation } from 'dragoman/agents'
import { vibelife } from '../protocols/vibelife/index.ts'
import { chatOperations as operations, type Protocols } from 'dragoman/surfaces'

const group = 'VibeLife'

const HOW =
  'A text alone gets the documented frames; a body of useChat the AI SDK’s own. Beside either may stand ' +
  'conversation_id, skill, voice_mode, language, time_zone, scenario, and form or birth_info. Leaving does not ' +
  'stop the run.'

/** Its own words stand first: they are the example. */
export function chatOperation(dialects: Protocols): Operation {
  const own = new Map([[vibelife.name, vibelife], ...dialects])
  return { ...operations.ask(own), group, summary: 'Talk about a life', description: HOW }
}

/** `maxSteps`: calls of the model in its run. */
export function guestChatOperation(dialects: Protocols, maxSteps: number): Operation {
  return {
    ...chatOperation(dialects),
    summary: 'Talk as a guest',
    description: `The same in at most ${maxSteps} steps, whoever asks. ${HOW}`,
  }
}
