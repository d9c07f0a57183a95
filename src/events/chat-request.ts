import type { Json } from './json.ts'
import type { SentTurn } from './message.ts'
import type { UserPart } from './user-part.ts'

/** What a client wants said, in no wire protocol's words. */
export type ChatRequest = {
  /** The conversation, by our id or the client's name. */
  readonly thread?: string
  /** What the client tells of the turns before the message. */
  readonly turns: readonly SentTurn[]
  /** `clientId` and `sentAt` are what the client calls it, and when it was said by its clock (ISO 8601). */
  readonly message: {
    readonly clientId?: string
    readonly sentAt?: string
    readonly parts: readonly UserPart[]
  }
  /** `again`: another answer to a message that we know. `edit`: the message in another wording. Both make a branch. */
  readonly branch?: 'again' | 'edit'
  /** That the client has no word for another answer: it sends its message, and what was before it, once more. */
  readonly resends?: true
  /** What the client says of its surroundings. */
  readonly context: Json
}
