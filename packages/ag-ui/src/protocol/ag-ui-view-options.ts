import { isJsonObject, type Json } from 'dragoman/events'

/**
 * The options of one reader. `version` is the protocol version of the client; clients of 0.x send none.
 * `threadId` and `runId` are the client's ids.
 */
export type AgUiViewOptions = {
  readonly version?: string
  readonly threadId?: string
  readonly runId?: string
  /** The client's id of the run from which it branched. */
  readonly parentRunId?: string
  /**
   * The client's ids of its tool result messages, by call. Under another id, the client would move them to its
   * end.
   */
  readonly results?: { readonly [callId: string]: string }
  /** A digest of the ids that the client had before its question: in the snapshot they may be others. */
  readonly ids?: string
  /** The user's messages that the client knows by our ids. */
  readonly users?: readonly string[]
  /** Whether another tab runs the client tools of this run, so that this reader is not asked. */
  readonly watches?: true
  /** Whether the client starts with an empty history, so that it also needs the results of its own tools. */
  readonly replays?: true
}

/**
 * What a client accepts. Clients before 1.0 refuse its new fields, and the clients of use-ai have their own
 * rules.
 */
export type Profile = 'agui-1.0' | 'agui-0.x' | 'use-ai'

/** A client of version 1.0 or later sends its version. */
export function httpProfile({ version }: AgUiViewOptions): Profile {
  return version !== undefined && Number.parseInt(version, 10) >= 1 ? 'agui-1.0' : 'agui-0.x'
}

export function parseAgUiViewOptions(
  ofRun: Json,
  query: Readonly<Record<string, string>> = {},
): AgUiViewOptions {
  const fields = isJsonObject(ofRun) ? ofRun : {}
  const version = query['protocolVersion'] ?? fields['version']
  const { threadId, runId, parentRunId, ids, users, results, watches, replays } = fields
  return {
    ...(typeof version === 'string' && { version }),
    ...(typeof threadId === 'string' && { threadId }),
    ...(typeof runId === 'string' && { runId }),
    ...(typeof parentRunId === 'string' && { parentRunId }),
    ...(typeof ids === 'string' && { ids }),
    ...(Array.isArray(users) && { users: users.map(String) }),
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
