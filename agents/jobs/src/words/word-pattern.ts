/** Fragments of a regular expression from a data file: `whole` match whole words only, `part` match anywhere. */
export type WordList = { readonly whole?: readonly string[]; readonly part?: readonly string[] }

export function wordPattern({ whole = [], part = [] }: WordList, flags = 'iu'): RegExp {
  const words = whole.length > 0 ? [String.raw`\b${anyOf(whole)}\b`] : []
  return new RegExp([...words, ...part].join('|'), flags)
}

/** The source of a group that matches one of the fragments. */
export function anyOf(fragments: readonly string[]): string {
  return `(?:${fragments.join('|')})`
}
