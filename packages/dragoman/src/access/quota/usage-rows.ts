/**
 * What a run has used: numbers and names, nothing of what was said. It stays where its conversation is deleted. Of one that has not been
 * counted yet (`settled` 0) `tokens` are those that were set aside for it.
 */
export type RunUsageRow = {
  run_id: string
  user_id: string
  agent: string
  /** A guest's, as a keyed hash. */
  address: string | null
  /** By whose days the user's limits went when it began; null where there were none. */
  zone: string | null
  /** When it began, in ms since 1970: it counts to the periods of that moment. */
  at: number
  /** What counts against limits. */
  tokens: number
  settled: number
  input_tokens: number
  output_tokens: number
  /** 1 if the caller's own key paid for it: then `tokens` is 0. */
  own_key: number
}

/** How often something was used in a run, and what tokens went into it. */
export type UsagePartRow = {
  run_id: string
  kind: 'model' | 'tool' | 'skill'
  name: string
  times: number
  input_tokens: number
  output_tokens: number
}
