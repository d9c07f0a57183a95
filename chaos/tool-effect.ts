/** The effect of a tool: a line in a file. `key` is the idempotency key that the server gave. */
export type ToolEffect = {
  readonly key: string
  readonly callId: string
  readonly place: string
  readonly tool: string
}

export const EFFECTS_FILE = 'effects.jsonl'
