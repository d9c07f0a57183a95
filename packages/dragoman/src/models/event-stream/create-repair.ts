import { createAnthropicRepair } from './repair-anthropic.ts'
import { repairChatChunk } from './repair-chat.ts'
import type { Repair } from './repair-events.ts'
import { repairGoogleChunk } from './repair-google.ts'
import { repairResponsesEvent } from './repair-responses.ts'

export type StreamApi = 'anthropic' | 'google' | 'chat' | 'responses'

/** A repair for one answer of an API. */
export function createRepair(api: StreamApi): Repair {
  switch (api) {
    case 'anthropic':
      return createAnthropicRepair()
    case 'google':
      return repairGoogleChunk
    case 'chat':
      return repairChatChunk
    case 'responses':
      return repairResponsesEvent
  }
}
