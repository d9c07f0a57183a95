import type { Element, TenGod } from '../chart/chart.ts'

export const greetingTypes = ['morning', 'noon', 'afternoon', 'evening'] as const
export type GreetingType = (typeof greetingTypes)[number]

/** What a day is about: how its stem stands to somebody's day master; without a chart, the stem's own element. */
export type Theme = TenGod | Element

/** Of several wordings one is taken by user and day. */
export type Wordings = readonly [string, string, ...string[]]

/**
 * All that one voice says in one language. `{name}` stands for how somebody is called, with its comma, or for nothing; `{term}` and
 * `{festival}` for names. None speaks of fate, fear, health or duty: a test reads every one.
 */
export type Wording = {
  readonly hello: Readonly<Record<GreetingType, Wordings>>
  /** `says` of what the day is like, and a small step, at most 50 characters. */
  readonly themes: Readonly<Record<Theme, { readonly says: Wordings; readonly tip: string }>>
  /** 冲 and 合: the day's branch against, or with, those of birth. */
  readonly clash: Wordings
  readonly union: Wordings
  readonly termToday: Wordings
  readonly termTomorrow: Wordings
  readonly festival: Wordings
  /** Of festivals on which the dead are remembered. */
  readonly remembrance: Wordings
}
