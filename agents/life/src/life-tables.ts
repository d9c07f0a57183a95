/** Times are ISO strings in UTC. What has a shape of its own stands as JSON. */
export type ProfileRow = {
  readonly user_id: string
  readonly display_name: string | null
  readonly birth: string | null
  readonly focus: string | null
  readonly preferences: string
  readonly told: string
  readonly updated_at: string
}

export type MemoryRow = {
  readonly id: string
  readonly user_id: string
  readonly content: string
  readonly type: string
  readonly importance: number
  readonly conversation_id: string | null
  readonly run_id: string | null
  readonly created_at: string
  readonly updated_at: string
}

/** A greeting as it was said: the same all day. */
export type GreetingRow = {
  readonly user_id: string
  readonly day: string
  /** Of all that it rests on: voice, language, birth. */
  readonly trace: string
  readonly greeting: string
}

export type LifeTables = {
  life_profiles: ProfileRow
  life_memories: MemoryRow
  life_greetings: GreetingRow
}
