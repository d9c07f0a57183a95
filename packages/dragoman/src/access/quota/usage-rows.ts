/**
 * The usage of a run: numbers and names, no content. It stays when its thread is deleted. Before the run is counted
 * (`settled` 0), `tokens` are the reserved ones.
 */
export type RunUsageRow = {
  run_id: string
  user_id: string
  agent: string
  /** The keyed hash of a guest's address. */
  address: string | null
  /** The zone of the user's limits when the run started; null without limits. */
  zone: string | null
  /** When the run started, in ms since 1970: it counts for the periods of that moment. */
  at: number
  /** What counts against limits. */
  tokens: number
  settled: number
  input_tokens: number
  output_tokens: number
  /** 1 if the caller's own key paid for it: then `tokens` is 0. */
  own_key: number
}

/** How often something was used in a run, and its tokens. */
export type UsagePartRow = {
  run_id: string
  kind: 'model' | 'tool' | 'skill'
  name: string
  times: number
  input_tokens: number
  output_tokens: number
}
