/** What a tool has done to the world: a line of a file. `key` is what its server gave it to act but once. */
export type ToolEffect = {
  readonly key: string
  readonly callId: string
  readonly place: string
  readonly tool: string
}

/** The file, in the home of the server. */
export const EFFECTS_FILE = 'effects.jsonl'
