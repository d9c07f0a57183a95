import { createAnthropicRepair } from './repair-anthropic.ts'
import { createChatRepair } from './repair-chat.ts'
import type { Repair } from './repair-events.ts'
import { createGoogleRepair } from './repair-google.ts'
import { createResponsesRepair } from './repair-responses.ts'

export type StreamApi = 'anthropic' | 'google' | 'chat' | 'responses'

/** A repair for one answer of an API. */
export function createRepair(api: StreamApi): Repair {
  switch (api) {
    case 'anthropic':
      return createAnthropicRepair()
    case 'google':
      return createGoogleRepair()
    case 'chat':
      return createChatRepair()
    case 'responses':
      return createResponsesRepair()
  }
}
