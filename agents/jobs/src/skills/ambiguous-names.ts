import lists from './ambiguous-names.json' with { type: 'json' }

type Evidence = keyof typeof lists

/**
 * The evidence that an ambiguous name needs. `exact`: it has its capitals. `midway`: it has its capitals, and is not
 * the first word of a sentence. `context`: the words next to it show a skill, such as another skill in the same list,
 * "fluent" or "developer".
 */
export type Ambiguity = { readonly needs: Evidence; readonly spelled: string }

const all = Object.entries(lists) as [Evidence, readonly string[]][]

/** Names of skills that are everyday words too, in small letters. */
export const ambiguousNames: ReadonlyMap<string, Ambiguity> = new Map(
  all.flatMap(([needs, names]) =>
    names.map((spelled) => [spelled.toLowerCase(), { needs, spelled }] as const),
  ),
)
