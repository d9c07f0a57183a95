import type { Element, TenGod } from '../chart/chart.ts'
import type { Language } from '../language.ts'
import type { Voice } from '../voice.ts'
import type { GreetingType } from './greeting.ts'
import texts from './templates.json' with { type: 'json' }

/** What a day is about: how its stem relates to the user's day master or, without a chart, the stem's own element. */
export type Theme = TenGod | Element

/**
 * All texts of one voice in one language. Of several lines, the user and the day select one. `{name}`, `{term}` and
 * `{festival}` are placeholders. No text mentions fate, fear, health or duty: a test reads each one.
 */
export type Templates = {
  readonly hello: Readonly<Record<GreetingType, readonly string[]>>
  /** The `lines` describe the day. The `tip` is a small step of at most 50 characters. */
  readonly themes: Readonly<Record<Theme, { readonly lines: readonly string[]; readonly tip: string }>>
  /** 冲: the day's branch is opposite a branch of the birth. */
  readonly clash: readonly string[]
  /** 合: the day's branch is the partner of a branch of the birth. */
  readonly union: readonly string[]
  readonly termToday: readonly string[]
  readonly termTomorrow: readonly string[]
  readonly festival: readonly string[]
  /** For festivals on which people remember the dead. */
  readonly remembrance: readonly string[]
}

/**
 * Warm is a friend who is glad to see the user. Sarcastic teases as a friend does, and only about what all people do.
 * Wise uses few words and prefers a question to advice.
 */
export const templates: Readonly<Record<Language, Readonly<Record<Voice, Templates>>>> = texts
