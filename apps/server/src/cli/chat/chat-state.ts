import type { Api } from '../remote/api.ts'
import type { OpenThread } from './conversation.ts'
import type { Screen } from './screen.ts'

/** What commands of the chat read and change. */
export type ChatState = {
  readonly api: Api
  readonly screen: Screen
  readonly showReasoning: boolean
  agent: string | undefined
  thread: { readonly id: string } | undefined
  model: string | undefined
  /** Shows a thread, and the run that goes on in it. */
  readonly open: (thread: OpenThread) => Promise<void>
}
