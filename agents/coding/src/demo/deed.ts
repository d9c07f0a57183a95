import type { DemoText } from 'dragoman/agents'

/** The same words in each language. */
export type Phrase = Exclude<DemoText, string>

/** What a user wants done to their files, as plainly as the rules understand it. */
export type Deed =
  | { readonly kind: 'read' | 'explain'; readonly path: string; readonly lines?: Lines }
  | { readonly kind: 'list'; readonly path: string }
  | { readonly kind: 'project' }
  | { readonly kind: 'search'; readonly words: string; readonly path?: string; readonly include?: string }
  | { readonly kind: 'glob'; readonly pattern: string; readonly path?: string }
  | { readonly kind: 'replace'; readonly path: string; readonly from: string; readonly to: string }
  | { readonly kind: 'create'; readonly path: string; readonly content: string }
  | { readonly kind: 'compare'; readonly a: string; readonly b: string }
  | { readonly kind: 'run'; readonly command: string; readonly cwd?: string }

/** From the first to the last, counted from 1. */
export type Lines = { readonly first: number; readonly last: number }

/** Those that change something, or may. */
export function changes({ kind }: Deed): boolean {
  return kind === 'replace' || kind === 'create' || kind === 'run'
}
