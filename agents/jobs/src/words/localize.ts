import type { Language } from './language.ts'

/** A text in each language. `{name}` is a placeholder for a value. */
export type BilingualText = Readonly<Record<Language, string>>

export function localize(
  text: BilingualText,
  language: Language,
  values: Readonly<Record<string, string | number>> = {},
): string {
  return text[language].replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''))
}
