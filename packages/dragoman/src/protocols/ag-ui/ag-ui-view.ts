import { isJsonObject, type Json } from '../../events/index.ts'

/** What one reader wants. `version` is the peer's: absent where it says none (0.x). `threadId` and `runId` are the client's names. */
export type AgUiView = {
  readonly version?: string
  readonly threadId?: string
  readonly runId?: string
  /** What the client calls the messages in which its tools gave their results, by call: under another id they would move to its end. */
  readonly results?: { readonly [callId: string]: string }
  /** Whether another tab holds the calls of this run's page tools: this one is not asked. */
  readonly watches?: true
  /** Whether it comes back with nothing: what its own tools gave is told too, which whoever ran them has. */
  readonly replays?: true
}

/** What a peer takes. Those before 1.0 refuse what came with it, and the clients of use-ai have their own ways. */
export type Profile = 'agui-1.0' | 'agui-0.x' | 'use-ai'

/** A client that is of version 1.0 or later says so. */
export function httpProfile({ version }: AgUiView): Profile {
  return version !== undefined && Number.parseInt(version, 10) >= 1 ? 'agui-1.0' : 'agui-0.x'
}

export function agUiView(ofRun: Json, query: Readonly<Record<string, string>> = {}): AgUiView {
  const fields = isJsonObject(ofRun) ? ofRun : {}
  const version = query['protocolVersion'] ?? fields['version']
  const { threadId, runId, results, watches, replays } = fields
  return {
    ...(typeof version === 'string' && { version }),
    ...(typeof threadId === 'string' && { threadId }),
    ...(typeof runId === 'string' && { runId }),
    ...(isJsonObject(results) && { results: textsIn(results) }),
    ...(watches === true && { watches }),
    ...(replays === true && { replays }),
  }
}

function textsIn(fields: { readonly [name: string]: Json }): { readonly [name: string]: string } {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, text]) => (typeof text === 'string' ? [[name, text]] : [])),
  )
}
