import type { Language } from '../../words/language.ts'

/** For each key, the names that texts use. The first two are those that we write: English, then Chinese. */
type Names<Key extends string> = Readonly<Record<Key, readonly string[]>>

/** Finds the key of a name, and the name of a key. */
export interface NameLookup<Key extends string> {
  /** `name` is in small letters. */
  find(name: string): Key | undefined
  nameOf(key: Key, language: Language): string
}

export function createNameLookup<Key extends string>(names: Names<Key>): NameLookup<Key> {
  const entries = Object.entries(names) as [Key, readonly string[]][]
  const keys = new Map(entries.flatMap(([key, all]) => all.map((name) => [name.toLowerCase(), key])))
  return {
    find: (name) => keys.get(name),
    nameOf(key, language) {
      const [english = '', chinese = ''] = names[key]
      return language === 'zh' ? chinese : english.replace(/^./, (first) => first.toUpperCase())
    },
  }
}
